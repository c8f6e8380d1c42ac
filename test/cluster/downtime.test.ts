import 'reflect-metadata';
import { downtimeSuite } from '../e2e/suite/downtime.suite.js';
import { createRealWorld } from '../support/real-world.js';

downtimeSuite(createRealWorld);
