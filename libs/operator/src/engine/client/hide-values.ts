/** A JSON text, or the Go notation of a map or list, as the server quotes what it refuses. */
const quoted = String.raw`"(?:[^"\\]|\\.)*"|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[[^[\]]*\]|map\[[^\]]*\]|[^\s:,;\]]+`;
const refused = new RegExp(String.raw`\b(Invalid value|Unsupported value|Duplicate value): (?:${quoted})`, 'g');

/**
 * The server's complaint without the values that it complains of: they are parts of the object, which may be secrets, and
 * messages of errors end in logs and events. Fields and rules stay.
 */
export function hideValues(message: string): string {
  return message.replace(refused, '$1 (hidden)');
}
