import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { conditionsFeature } from './conditions.feature.js';

conditionsFeature(createEmbeddedWorld);
