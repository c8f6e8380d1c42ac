import { expect, it } from 'vitest';
import { hideValues } from '../../../src/engine/client/hide-values.js';

it.each([
  [
    'Widget.demo.example "a" is invalid: spec.size: Invalid value: "s3cret": spec.size in body should match \'^[0-9]+$\'',
    'Widget.demo.example "a" is invalid: spec.size: Invalid value (hidden): spec.size in body should match \'^[0-9]+$\'',
  ],
  [
    'spec.mode: Unsupported value: "s3cret": supported values: "a", "b"',
    'spec.mode: Unsupported value (hidden): supported values: "a", "b"',
  ],
  ['spec.items[1]: Duplicate value: {"key":"s3cret","more":{"x":"s3cret"}}', 'spec.items[1]: Duplicate value (hidden)'],
  [
    'spec.port: Invalid value: 70000: must be at most 65535',
    'spec.port: Invalid value (hidden): must be at most 65535',
  ],
  [
    '[spec.a: Invalid value: "s3\\"cret": x, spec.b: Invalid value: map[a:s3cret]: y]',
    '[spec.a: Invalid value (hidden): x, spec.b: Invalid value (hidden): y]',
  ],
  ['spec.list: Invalid value: ["s3cret","s3cret"]: too many', 'spec.list: Invalid value (hidden): too many'],
  ['widgets.demo.example "a" not found', 'widgets.demo.example "a" not found'],
])('hides what the server quotes, and nothing else: %s', (message, expected) => {
  expect(hideValues(message)).toBe(expected);
  expect(hideValues(message)).not.toContain('s3');
});
