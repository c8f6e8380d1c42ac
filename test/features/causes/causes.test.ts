import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { causesFeature } from './causes.feature.js';

causesFeature(createEmbeddedWorld);
