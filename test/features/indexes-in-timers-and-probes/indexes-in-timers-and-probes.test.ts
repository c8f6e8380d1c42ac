import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { indexesInTimersAndProbesFeature } from './indexes-in-timers-and-probes.feature.js';

indexesInTimersAndProbesFeature(createEmbeddedWorld);
