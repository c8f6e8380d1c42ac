import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { causesFeature } from './causes.feature.js';

causesFeature(createRealWorld);
