import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { resourcesFeature } from './resources.feature.js';

resourcesFeature(createRealWorld);
