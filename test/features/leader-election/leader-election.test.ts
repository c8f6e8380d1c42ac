import 'reflect-metadata';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { leaderElectionFeature } from './leader-election.feature.js';

leaderElectionFeature(createEmbeddedWorld);
