import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { deletionFeature } from './deletion.feature.js';

deletionFeature(createEmbeddedWorld);
