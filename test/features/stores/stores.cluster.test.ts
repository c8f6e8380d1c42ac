import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { storesFeature } from './stores.feature.js';

storesFeature(createRealWorld);
