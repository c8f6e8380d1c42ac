import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { watchingSuite } from './suite/watching.suite.js';

watchingSuite(createEmbeddedWorld);
