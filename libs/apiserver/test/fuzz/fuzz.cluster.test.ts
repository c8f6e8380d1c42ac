import { askAtRandom } from './ask-at-random.js';

// Beside the cluster tests there is the time for as many as shall never break the server.
askAtRandom(20_250);
