import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { resourcesFeature } from './resources.feature.js';

resourcesFeature(createEmbeddedWorld);
