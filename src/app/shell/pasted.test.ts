import { expect, it } from 'vitest';
import { pastedFile } from './DropTarget.tsx';

const NONE = new Set<string>();

/** Name and content of the file that a text becomes. */
async function fileOf(text: string): Promise<readonly string[] | null> {
  const file = pastedFile(text, NONE);
  return file && [file.name, await file.text()];
}

it.each([
  ['lines', '1 0 0 2\n0 0 3 0', 'pasted.tsv', '1\t0\t0\t2\n0\t0\t3\t0\n'],
  ['rows between slashes', '1 0 0 2 / 0 0 3 0', 'pasted.tsv', '1\t0\t0\t2\n0\t0\t3\t0\n'],
  ['cells of a spreadsheet', '1\t0\t0\t2\r\n0\t0\t3\t0\r\n', 'pasted.tsv', '1\t0\t0\t2\n0\t0\t3\t0\n'],
  ['empty cells, and numbers with a comma', '1,5\t\t2\n0\t3\t-1e-3', 'pasted.tsv', '1,5\t\t2\n0\t3\t-1e-3\n'],
  ['commas', '1,0,0\n0,2,3\n', 'pasted.csv', '1,0,0\n0,2,3\n'],
  ['semicolons', '1,5;0\n0;2\n', 'pasted.csv', '1,5;0\n0;2\n'],
  ['columns set with spaces', '  1   0\n 10  -2.5 \n\n', 'pasted.tsv', '1\t0\n10\t-2.5\n'],
  ['one row', '1 0 0 2', 'pasted.tsv', '1\t0\t0\t2\n'],
  ['names above numbers', 'a\tb\n1\t2\n3\t4', 'pasted.tsv', 'a\tb\n1\t2\n3\t4\n'],
  ['a cell that is wrong, which the reader reports', '1 0 x\n0 2 0', 'pasted.tsv', '1\t0\tx\n0\t2\t0\n'],
])('%s are a matrix', async (_, text, name, content) => {
  expect(await fileOf(text)).toEqual([name, content]);
});

it.each(['', '   ', '5', 'a word', 'I have 2 cats and 3 dogs', 'https://example.org/a/1', '1/2', '2026-11-26'])(
  'other text is none: %s',
  async (text) => {
    expect(await fileOf(text)).toBeNull();
  },
);

it('every pasted matrix has a distinct name', () => {
  const names = new Set<string>();
  for (let i = 0; i < 3; i++) names.add(pastedFile('1 2', names)?.name ?? '');
  expect([...names]).toEqual(['pasted.tsv', 'pasted-2.tsv', 'pasted-3.tsv']);
});
