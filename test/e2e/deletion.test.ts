import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { deletionSuite } from './suite/deletion.suite.js';

deletionSuite(createEmbeddedWorld);
