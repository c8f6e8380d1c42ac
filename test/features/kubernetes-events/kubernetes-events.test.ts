import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { kubernetesEventsFeature } from './kubernetes-events.feature.js';

kubernetesEventsFeature(createEmbeddedWorld);
