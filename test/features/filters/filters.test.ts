import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { filtersFeature } from './filters.feature.js';

filtersFeature(createEmbeddedWorld);
