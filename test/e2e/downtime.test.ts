import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { downtimeSuite } from './suite/downtime.suite.js';

downtimeSuite(createEmbeddedWorld);
