/** Which lines of a watch a fault is for. What is left out matches everything. Each stream counts for itself. */
export interface EventMatch {
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`. */
  type?: string;
  namespace?: string;
  name?: string;
  /** Begin with the nth matching line of the stream, counted from 1. @defaultValue 1 */
  nth?: number;
  /** How many lines of the stream it hits. @defaultValue no limit */
  times?: number;
  /** Chance from 0 to 1 that a matching line is hit. The seed of the faults decides which ones are. @defaultValue 1 */
  probability?: number;
}
