import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { builtInKindsFeature } from './built-in-kinds.feature.js';

builtInKindsFeature(createEmbeddedWorld);
