import type { EmergencyOutput, Logger } from '../ports/index.js';
import { renderCauseChain } from './cause-chain.js';

/** A logger whose sink may fail without stopping the stop: the record then goes to `output`. */
export function guardLogger(logger: Logger, output: EmergencyOutput): Logger {
  return {
    log(level, message, fields, error) {
      try {
        logger.log(level, message, fields, error);
      } catch (sinkError) {
        const lost = error === undefined ? '' : `\n${renderCauseChain(error)}`;
        output.write(`${level}: ${message}${lost}\nThe log sink failed: ${renderCauseChain(sinkError)}\n`);
      }
    },
    child: (context, fields) => guardLogger(logger.child(context, fields), output),
  };
}
