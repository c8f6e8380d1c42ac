import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { builtInKindsFeature } from './built-in-kinds.feature.js';

builtInKindsFeature(createRealWorld);
