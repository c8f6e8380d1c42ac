import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { indexesFeature } from './indexes.feature.js';

indexesFeature(createRealWorld);
