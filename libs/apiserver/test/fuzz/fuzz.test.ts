import { askAtRandom } from './ask-at-random.js';

// The cluster tests send more of them.
askAtRandom(3_000);
