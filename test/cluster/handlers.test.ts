import 'reflect-metadata';
import { handlersSuite } from '../e2e/suite/handlers.suite.js';
import { createRealWorld } from '../support/real-world.js';

handlersSuite(createRealWorld);
