import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { startUpAndCleanUpFeature } from './start-up-and-clean-up.feature.js';

startUpAndCleanUpFeature(createRealWorld);
