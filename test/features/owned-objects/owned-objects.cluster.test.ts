import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { ownedObjectsFeature } from './owned-objects.feature.js';

ownedObjectsFeature(createRealWorld);
