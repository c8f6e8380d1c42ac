import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { subHandlersFeature } from './sub-handlers.feature.js';

subHandlersFeature(createEmbeddedWorld);
