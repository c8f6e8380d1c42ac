import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { changesFeature } from './changes.feature.js';
import { namespacesFeature } from './namespaces.feature.js';
import { resourcesFeature } from './resources.feature.js';
import { selectorsFeature } from './selectors.feature.js';

resourcesFeature(createRealWorld);
namespacesFeature(createRealWorld);
changesFeature(createRealWorld);
selectorsFeature(createRealWorld);
