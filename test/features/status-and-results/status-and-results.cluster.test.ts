import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { statusAndResultsFeature } from './status-and-results.feature.js';

statusAndResultsFeature(createRealWorld);
