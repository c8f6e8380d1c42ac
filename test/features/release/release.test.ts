import 'reflect-metadata';
import { createEmbeddedWorld, type EmbeddedWorld } from '../../support/embedded-world.js';
import { releaseFeature } from './release.feature.js';

releaseFeature(createEmbeddedWorld, (world) => (world as EmbeddedWorld).stage.api.kubeConfig());
