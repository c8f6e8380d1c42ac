import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const readText = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

/** The TypeScript blocks of the README, in order. */
async function snippets(): Promise<string[]> {
  const text = await readText('README.md');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
}

test('what the README shows is what is compiled and run', async () => {
  const files = ['greeting.ts', 'greeting.test.ts', 'main.ts'];
  expect(await snippets()).toEqual(await Promise.all(files.map((file) => readText(`test/e2e/readme/${file}`))));
});

test('a handler and its test fit into forty lines', async () => {
  const [handler, handlerTest] = (await snippets()) as [string, string];
  expect(`${handler}${handlerTest}`.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});
