import 'reflect-metadata';
import { createRealWorld } from '../../support/real-world.js';
import { leaderElectionFeature } from './leader-election.feature.js';

leaderElectionFeature(createRealWorld);
