import 'reflect-metadata';
import { createEmbeddedAccountWorld } from '../support/accounts.js';
import { rightsSuite } from './suite/rights.suite.js';

rightsSuite(createEmbeddedAccountWorld);
