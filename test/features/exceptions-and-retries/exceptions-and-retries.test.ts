import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { exceptionsAndRetriesFeature } from './exceptions-and-retries.feature.js';

exceptionsAndRetriesFeature(createEmbeddedWorld);
