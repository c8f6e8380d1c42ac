import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { conditionsFeature } from './conditions.feature.js';

conditionsFeature(createRealWorld);
