import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { creationFeature } from './creation.feature.js';

creationFeature(createEmbeddedWorld);
