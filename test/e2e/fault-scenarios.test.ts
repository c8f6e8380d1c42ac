import 'reflect-metadata';
import { createEmbeddedGrantingWorld } from '../support/granting.js';
import { faultScenariosSuite } from './suite/fault-scenarios.suite.js';

faultScenariosSuite(createEmbeddedGrantingWorld);
