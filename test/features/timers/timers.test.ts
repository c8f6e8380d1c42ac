import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { timersFeature } from './timers.feature.js';

timersFeature(createEmbeddedWorld);
