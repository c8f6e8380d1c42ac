import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { indexesFeature } from './indexes.feature.js';

indexesFeature(createEmbeddedWorld);
