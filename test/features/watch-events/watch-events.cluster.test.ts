import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { watchEventsFeature } from './watch-events.feature.js';

watchEventsFeature(createRealWorld);
