import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { startUpAndCleanUpFeature } from './start-up-and-clean-up.feature.js';

startUpAndCleanUpFeature(createEmbeddedWorld);
