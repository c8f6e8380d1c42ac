import 'reflect-metadata';
import { returningKindSuite } from '../e2e/suite/returning-kind.suite.js';
import { createRealWorld } from '../support/real-world.js';

returningKindSuite(createRealWorld);
