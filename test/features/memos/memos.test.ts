import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { memosFeature } from './memos.feature.js';

memosFeature(createEmbeddedWorld);
