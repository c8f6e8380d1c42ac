import 'reflect-metadata';
import { sharedControlPlane } from '../../cluster/control-plane.js';
import { createRealWorld } from '../../support/real-world.js';
import { embeddingFeature } from './embedding.feature.js';

embeddingFeature(createRealWorld, () => sharedControlPlane().kubeConfig());
