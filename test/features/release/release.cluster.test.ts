import 'reflect-metadata';
import { sharedControlPlane } from '../../cluster/control-plane.js';
import { createRealWorld } from '../../support/real-world.js';
import { releaseFeature } from './release.feature.js';

releaseFeature(createRealWorld, () => sharedControlPlane().kubeConfig());
