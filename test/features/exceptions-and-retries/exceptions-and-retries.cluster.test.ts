import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { exceptionsAndRetriesFeature } from './exceptions-and-retries.feature.js';

exceptionsAndRetriesFeature(createRealWorld);
