import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { takingOverFromKopfFeature } from './taking-over-from-kopf.feature.js';

takingOverFromKopfFeature(createRealWorld);
