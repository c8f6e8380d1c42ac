import { expect, it } from 'vitest';
import { matchesFormat } from '../../src/custom/string-formats.js';
import { recordedFormats } from './recorded.js';

const { formats, texts } = recordedFormats();

it.each(formats)('texts that are of the format %s or not, as the real server has it', (format) => {
  const different = texts
    .filter(({ value, refused }) => matchesFormat(format, value) === refused.includes(format))
    .map(({ value }) => value);
  expect(texts.length).toBeGreaterThan(200);
  expect(different).toEqual([]);
});
