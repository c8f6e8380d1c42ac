import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { kindsSuite } from './suite/kinds.suite.js';

kindsSuite(createEmbeddedWorld);
