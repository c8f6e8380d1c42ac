import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { steeringFeature } from './steering.feature.js';

steeringFeature(createEmbeddedWorld);
