import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { testHarnessFeature } from './test-harness.feature.js';

testHarnessFeature(createEmbeddedWorld);
