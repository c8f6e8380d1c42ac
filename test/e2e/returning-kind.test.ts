import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { returningKindSuite } from './suite/returning-kind.suite.js';

returningKindSuite(createEmbeddedWorld);
