import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { ownedObjectsFeature } from './owned-objects.feature.js';

ownedObjectsFeature(createEmbeddedWorld);
