import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { memosFeature } from './memos.feature.js';

memosFeature(createRealWorld);
