import 'reflect-metadata';
import { missingRightsSuite } from '../e2e/suite/missing-rights.suite.js';
import { createRealGrantingWorld } from '../support/granting.js';

missingRightsSuite(createRealGrantingWorld);
