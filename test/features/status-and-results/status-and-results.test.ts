import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { statusAndResultsFeature } from './status-and-results.feature.js';

statusAndResultsFeature(createEmbeddedWorld);
