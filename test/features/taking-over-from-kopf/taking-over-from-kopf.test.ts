import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { takingOverFromKopfFeature } from './taking-over-from-kopf.feature.js';

takingOverFromKopfFeature(createEmbeddedWorld);
