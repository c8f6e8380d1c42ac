import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { filtersFeature } from './filters.feature.js';

filtersFeature(createRealWorld);
