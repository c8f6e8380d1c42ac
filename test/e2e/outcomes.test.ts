import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { outcomesSuite } from './suite/outcomes.suite.js';

outcomesSuite(createEmbeddedWorld);
