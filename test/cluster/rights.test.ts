import 'reflect-metadata';
import { rightsSuite } from '../e2e/suite/rights.suite.js';
import { createRealAccountWorld } from '../support/accounts.js';

rightsSuite(createRealAccountWorld);
