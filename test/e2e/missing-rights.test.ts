import 'reflect-metadata';
import { createEmbeddedGrantingWorld } from '../support/granting.js';
import { missingRightsSuite } from './suite/missing-rights.suite.js';

missingRightsSuite(createEmbeddedGrantingWorld);
