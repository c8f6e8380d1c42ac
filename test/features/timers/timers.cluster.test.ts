import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { timersFeature } from './timers.feature.js';

timersFeature(createRealWorld);
