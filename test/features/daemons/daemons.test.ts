import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { daemonsFeature } from './daemons.feature.js';

daemonsFeature(createEmbeddedWorld);
