import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { watchEventsFeature } from './watch-events.feature.js';

watchEventsFeature(createEmbeddedWorld);
