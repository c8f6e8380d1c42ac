import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { contentSuite } from './suite/content.suite.js';

contentSuite(createEmbeddedWorld, async ({ stage }, path) => (await fetch(`${stage.api.url}${path}`)).text());
