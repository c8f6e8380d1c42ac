import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { daemonsFeature } from './daemons.feature.js';

daemonsFeature(createRealWorld);
