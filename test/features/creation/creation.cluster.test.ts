import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { creationFeature } from './creation.feature.js';

creationFeature(createRealWorld);
