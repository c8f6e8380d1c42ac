import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { kubernetesEventsFeature } from './kubernetes-events.feature.js';

kubernetesEventsFeature(createRealWorld);
