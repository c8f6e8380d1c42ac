import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { childrenFeature } from './children.feature.js';

childrenFeature(createRealWorld);
