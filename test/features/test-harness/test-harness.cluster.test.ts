import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { testHarnessFeature } from './test-harness.feature.js';

testHarnessFeature(createRealWorld);
