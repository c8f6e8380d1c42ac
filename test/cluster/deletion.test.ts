import 'reflect-metadata';
import { deletionSuite } from '../e2e/suite/deletion.suite.js';
import { createRealWorld } from '../support/real-world.js';

deletionSuite(createRealWorld);
