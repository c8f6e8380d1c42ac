import 'reflect-metadata';
import { createEmbeddedWorld, type EmbeddedWorld } from '../../support/embedded-world.js';
import { connectionFeature } from './connection.feature.js';

const users = [{ name: 'admin', token: 'token-of-admin', groups: ['system:masters'] }];

connectionFeature(
  () => createEmbeddedWorld({ users }),
  (world) => (world as EmbeddedWorld).stage.api.kubeConfig(),
);
