import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { lifecycleSuite } from './suite/lifecycle.suite.js';

lifecycleSuite(createEmbeddedWorld);
