import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { lettingGoFeature } from './letting-go.feature.js';

lettingGoFeature(createEmbeddedWorld);
