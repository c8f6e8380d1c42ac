import 'reflect-metadata';
import { outcomesSuite } from '../e2e/suite/outcomes.suite.js';
import { createRealWorld } from '../support/real-world.js';

outcomesSuite(createRealWorld);
