import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { changesFeature } from './changes.feature.js';
import { namespacesFeature } from './namespaces.feature.js';
import { resourcesFeature } from './resources.feature.js';
import { selectorsFeature } from './selectors.feature.js';

resourcesFeature(createEmbeddedWorld);
namespacesFeature(createEmbeddedWorld);
changesFeature(createEmbeddedWorld);
selectorsFeature(createEmbeddedWorld);
