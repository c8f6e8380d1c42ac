import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { deletionFeature } from './deletion.feature.js';

deletionFeature(createRealWorld);
