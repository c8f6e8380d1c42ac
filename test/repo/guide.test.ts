import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.js';

interface Block {
  readonly language: string;
  /** The file that a comment above the block names. */
  readonly file: string | undefined;
  readonly text: string;
}

/** The fenced blocks of a page, in order. */
function blocks(page: string): Block[] {
  return [...page.matchAll(/(?:^<!-- (\S+) -->\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(
    ([, file, language = '', text = '']) => ({ language, file, text }),
  );
}

const folder = join(root, 'test/e2e/guide');
const examples = readdirSync(folder);
const page = readFileSync(join(root, 'docs/guide.md'), 'utf8');
const shown = blocks(page);

const readmes = ['libs/operator/README.md', 'libs/testing/README.md'];

describe.each(readmes)('%s', (readme) => {
  it('shows nothing but files that are compiled and run, and shell commands', () => {
    const own = blocks(readFileSync(join(root, readme), 'utf8'));
    expect(own.filter(({ language, file }) => (file === undefined) !== (language === 'sh'))).toEqual([]);
    const files = own.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
    expect(files).not.toEqual([]);
    expect(files).toEqual(
      files.map(({ file }) => ({ file, text: readFileSync(join(root, 'test/e2e', file), 'utf8') })),
    );
  });
});

describe('the guide', () => {
  it('shows nothing but files that are compiled and run, and shell commands', () => {
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter(({ language, file }) => (file === undefined) !== (language === 'sh'))).toEqual([]);
  });

  it.each(shown.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }])))(
    'shows $file as it is',
    ({ file, text }) => {
      expect(text).toBe(readFileSync(join(folder, file), 'utf8'));
    },
  );

  it('has no example that it does not show', () => {
    // These hold the examples to what the guide says of them.
    const tests = ['bad-input.test.ts', 'examples.test.ts', 'options.test.ts'];
    const named = shown.map(({ file }) => file);
    expect(examples.filter((file) => !named.includes(file) && !tests.includes(file))).toEqual([]);
  });

  it('leads to its own sections', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});
