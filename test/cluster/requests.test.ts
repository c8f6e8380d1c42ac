import 'reflect-metadata';
import { requestsSuite } from '../e2e/suite/requests.suite.js';
import { createRealWorld } from '../support/real-world.js';

requestsSuite(createRealWorld);
