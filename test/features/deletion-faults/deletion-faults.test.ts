import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { deletionFaultsFeature } from './deletion-faults.feature.js';

deletionFaultsFeature(createEmbeddedWorld);
