import 'reflect-metadata';
import { watchingSuite } from '../e2e/suite/watching.suite.js';
import { createRealWorld } from '../support/real-world.js';

watchingSuite(createRealWorld);
