import 'reflect-metadata';
import { sharedControlPlane } from '../../cluster/control-plane.js';
import { createRealWorld } from '../../support/real-world.js';
import { connectionFeature } from './connection.feature.js';

connectionFeature(createRealWorld, () => sharedControlPlane().kubeConfig());
