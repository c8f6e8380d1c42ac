import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { indexesInTimersAndProbesFeature } from './indexes-in-timers-and-probes.feature.js';

indexesInTimersAndProbesFeature(createRealWorld);
