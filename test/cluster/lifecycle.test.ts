import 'reflect-metadata';
import { lifecycleSuite } from '../e2e/suite/lifecycle.suite.js';
import { createRealWorld } from '../support/real-world.js';

lifecycleSuite(createRealWorld);
