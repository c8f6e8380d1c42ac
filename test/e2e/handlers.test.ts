import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { handlersSuite } from './suite/handlers.suite.js';

handlersSuite(createEmbeddedWorld);
