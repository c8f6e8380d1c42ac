import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { lettingGoFeature } from './letting-go.feature.js';

lettingGoFeature(createRealWorld);
