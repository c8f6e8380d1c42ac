import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { steeringFeature } from './steering.feature.js';

steeringFeature(createRealWorld);
