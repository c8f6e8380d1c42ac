import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { childrenFeature } from './children.feature.js';

childrenFeature(createEmbeddedWorld);
