import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { storesFeature } from './stores.feature.js';

storesFeature(createEmbeddedWorld);
