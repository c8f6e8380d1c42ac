import 'reflect-metadata';
import { createEmbeddedWorld, type EmbeddedWorld } from '../../support/embedded-world.js';
import { embeddingFeature } from './embedding.feature.js';

embeddingFeature(createEmbeddedWorld, (world) => (world as EmbeddedWorld).stage.api.kubeConfig());
