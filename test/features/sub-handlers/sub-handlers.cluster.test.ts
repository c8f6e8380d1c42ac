import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { subHandlersFeature } from './sub-handlers.feature.js';

subHandlersFeature(createRealWorld);
