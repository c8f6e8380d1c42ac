import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { deletionFaultsFeature } from './deletion-faults.feature.js';

deletionFaultsFeature(createRealWorld);
