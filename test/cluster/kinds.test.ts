import 'reflect-metadata';
import { kindsSuite } from '../e2e/suite/kinds.suite.js';
import { createRealWorld } from '../support/real-world.js';

kindsSuite(createRealWorld);
