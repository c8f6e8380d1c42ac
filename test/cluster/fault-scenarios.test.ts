import 'reflect-metadata';
import { faultScenariosSuite } from '../e2e/suite/fault-scenarios.suite.js';
import { createRealGrantingWorld } from '../support/granting.js';

faultScenariosSuite(createRealGrantingWorld);
