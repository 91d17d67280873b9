import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import { toDense } from '../../core/matrix/index.ts';
import { type OpenedMatrix, type ReadOptions, readMatrix, readMatrixFrom } from '../read.ts';
import { NO_JOB } from '../../core/job.ts';

const open = (name: string, content: string, options: ReadOptions = {}): Promise<OpenedMatrix> =>
  readMatrix({ name, bytes: new TextEncoder().encode(content) }, options);
const openAsIn02 = (name: string, content: string): Promise<OpenedMatrix> =>
  readMatrixFrom({ name, bytes: new TextEncoder().encode(content) }, { as: '0.2' }, NO_JOB);

type Entry = readonly [row: number, column: number, value: number];

/**
 * The oracle, which shares no code with the reader: a table of the sums of entries, whose indices begin at `from`. `shape`:
 * rows and columns, or 'each' as many as the indices need, or 'square' the larger of both.
 */
function sumsOf(
  entries: readonly Entry[],
  from: number,
  shape: 'square' | 'each' | readonly [number, number],
): number[][] {
  const rows = Math.max(...entries.map(([row]) => row + 1 - from));
  const cols = Math.max(...entries.map(([, column]) => column + 1 - from));
  const [height, width] =
    shape === 'each' ? [rows, cols] : shape === 'square' ? [Math.max(rows, cols), Math.max(rows, cols)] : shape;
  const cells = Array.from({ length: height }, () => Array.from({ length: width }, () => 0));
  for (const [row, column, value] of entries) cells[row - from][column - from] += value;
  return cells;
}

/** The cells of an opened matrix, row by row. */
function cellsOf({ matrix }: OpenedMatrix): number[][] {
  const cells = [...toDense(matrix)];
  return Array.from({ length: matrix.rows }, (_, r) => cells.slice(r * matrix.cols, (r + 1) * matrix.cols));
}

/** Up to 20 entries whose indices begin at `first`. Their sums are exact in f32. */
const entriesFrom = (first: number): fc.Arbitrary<readonly Entry[]> =>
  fc.array(
    fc.tuple(
      fc.integer({ min: first, max: first + 6 }),
      fc.integer({ min: first, max: first + 9 }),
      fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8),
    ),
    { minLength: 1, maxLength: 20 },
  );
/** The lines of a list of entries, with or without values. */
const text = (entries: readonly Entry[], separator: string, hasValues = true): string =>
  entries.map((entry) => `${(hasValues ? entry : entry.slice(0, 2)).join(separator)}\n`).join('');
const ones = (entries: readonly Entry[]): readonly Entry[] => entries.map(([row, column]) => [row, column, 1]);
/** The index at which a reader assumes that indices begin: 1 if no index is 0. */
const firstIndexOf = (entries: readonly Entry[]): 0 | 1 =>
  entries.some(([row, column]) => row * column === 0) ? 0 : 1;
/** One of these names, in lower case, upper case or quotes. */
const names = (...options: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...options.flatMap((name) => [name, name.toUpperCase(), `"${name}"`]));
const separators = fc.constantFrom(',', ';', '\t', ' ');

describe('readMatrix adds up the entries of a list', () => {
  it('with a header of row, column and value: indices from 0', async () => {
    const header = fc.tuple(
      names('row', 'row_index', 'i'),
      names('col', 'column', 'j'),
      names('value', 'val', 'weight', 'v'),
    );
    await fc.assert(
      fc.asyncProperty(
        header,
        separators,
        entriesFrom(0),
        fc.boolean(),
        async (headerNames, separator, entries, hasValues) => {
          const head = (hasValues ? headerNames : headerNames.slice(0, 2)).join(separator);
          const opened = await open('a.csv', `${head}\n${text(entries, separator, hasValues)}`);
          expect(opened.lines).toMatchObject({ chosen: 'entries', otherReading: 'table' });
          expect(cellsOf(opened)).toEqual(sumsOf(hasValues ? entries : ones(entries), 0, 'each'));
        },
      ),
    );
  });

  it('with a header of the two ends of an edge: a square matrix, indices from 1 if no index is 0', async () => {
    const pairs = fc.constantFrom(['Source', 'Target'], ['src', 'dst'], ['from', 'to'], ['u', 'v']);
    await fc.assert(
      fc.asyncProperty(
        pairs,
        separators,
        fc.boolean(),
        entriesFrom(0),
        async (headerNames, separator, isSwapped, entries) => {
          const order = isSwapped ? [2, 1, 0] : [0, 1, 2];
          const lines = [[...headerNames, 'weight'], ...entries].map((line) =>
            order.map((i) => line[i]).join(separator),
          );
          const opened = await open('a.txt', `${lines.join('\n')}\n`);
          expect(cellsOf(opened)).toEqual(sumsOf(entries, firstIndexOf(entries), 'square'));
        },
      ),
    );
  });

  it('of SNAP: with the shape in its comments, or a larger one if the indices need it', async () => {
    await fc.assert(
      fc.asyncProperty(entriesFrom(0), fc.integer({ min: 1, max: 20 }), async (entries, nodes) => {
        const head = `# Directed graph: a.txt\n# Nodes: ${nodes} Edges: ${entries.length}\n# FromNodeId\tToNodeId\n`;
        const opened = await open('a.txt', head + text(entries, '\t', false));
        const side = Math.max(nodes, sumsOf(ones(entries), 0, 'square').length);
        expect(cellsOf(opened)).toEqual(sumsOf(ones(entries), 0, [side, side]));
      }),
    );
  });

  it('of the Network Repository and KONECT: recognised by the name of the file or by a comment', async () => {
    const head = fc.constantFrom('', '% sym unweighted\n', '% asym weighted\n', '% bip positive\n% 4 1 1\n');
    const lists = fc.integer({ min: 0, max: 1 }).chain(entriesFrom);
    const separator = fc.constantFrom(' ', '\t', ' \t ');
    await fc.assert(
      fc.asyncProperty(head, separator, fc.boolean(), lists, async (comment, between, hasValues, entries) => {
        const opened = await open(comment === '' ? 'a.edges' : 'out.a', comment + text(entries, between, hasValues));
        const shape = comment.includes('bip') ? 'each' : 'square';
        expect(cellsOf(opened)).toEqual(sumsOf(hasValues ? entries : ones(entries), firstIndexOf(entries), shape));
      }),
    );
  });

  it('of R, written or printed: indices from 1', async () => {
    await fc.assert(
      fc.asyncProperty(entriesFrom(1), async (entries) => {
        const lines = entries.map((entry, i) => `"${i + 1}" ${entry.join(' ')}\n`).join('');
        expect(cellsOf(await open('a.txt', `"i" "j" "x"\n${lines}`))).toEqual(sumsOf(entries, 1, 'each'));
        const printed = `7 x 10 sparse Matrix of class "dgCMatrix", with ${entries.length} entries\n  i j x\n${lines.replaceAll('"', '')}`;
        expect(cellsOf(await open('a', printed))).toEqual(sumsOf(entries, 1, [7, 10]));
      }),
    );
  });

  it('without any hint only if the user chooses so; otherwise its lines are rows of cells', async () => {
    await fc.assert(
      fc.asyncProperty(entriesFrom(0), separators, async (entries, separator) => {
        const content = text(entries, separator);
        const table = await open('a.csv', content);
        expect(cellsOf(table)).toEqual(entries.map((entry) => [...entry]));
        expect(table.lines).toEqual({
          chosen: 'table',
          inVersion02: 'table',
          otherReading: entries.length > 1 ? 'entries' : null,
        });
        const opened = await open('a.csv', content, { as: 'entries' });
        expect(cellsOf(opened)).toEqual(sumsOf(entries, firstIndexOf(entries), 'each'));
        expect(opened.lines).toEqual({ chosen: 'entries', inVersion02: 'table', otherReading: 'table' });
      }),
    );
  });
});

describe("with `as: '0.2'`, readMatrix reads as version 0.2", () => {
  it.each([
    ['# FromNodeId\tToNodeId\n0\t2\n1\t0\n', 'a.txt'],
    ['Source,Target,Weight\n0,2,1.5\n1,0,3\n', 'a.csv'],
    ['i,j,x\n1,2,1.5\n2,1,3\n', 'a.csv'],
    ['1 2\n2 1\n', 'a.edges'],
    ['% sym unweighted\n1 2\n2 1\n', 'a.txt'],
    ['row,col\n1,2\n2,1\n', 'a.csv'],
  ])('%j as rows of cells', async (content, name) => {
    const openedIn02 = await openAsIn02(name, content);
    expect(openedIn02.lines).toEqual({ chosen: 'table', inVersion02: 'table', otherReading: 'entries' });
    const lines = content.split('\n').filter((line) => /^\d/.test(line));
    expect(cellsOf(openedIn02)).toEqual(lines.map((line) => line.split(/[\s,]/).map(Number)));
    expect(openedIn02.matrix).toEqual((await open(name, content, { as: 'table' })).matrix);
    expect((await open(name, content)).lines).toEqual({
      chosen: 'entries',
      inVersion02: 'table',
      otherReading: 'table',
    });
  });

  it('a table that is no list as one, and a list with words as one', async () => {
    const table = await openAsIn02('a.csv', '1.5,2\n3,4\n');
    expect(table.lines).toEqual({ chosen: 'table', inVersion02: 'table', otherReading: null });
    const gephi = await open('a.csv', 'Source,Target,Type,Weight\n1,2,Directed,1.5\n');
    expect(gephi.lines).toMatchObject({ chosen: 'entries', otherReading: null });
  });

  it.each(['row,col,value', 'i,j,v', 'VAL,rows,Column', 'col_index,row_index,data'])(
    '%j as entries from 0, as without `as`',
    async (header) => {
      const content = `${header}\n1,2,3\n2,1,1\n`;
      const [openedIn02, current] = [await openAsIn02('a.csv', content), await open('a.csv', content)];
      expect(current.matrix).toEqual(openedIn02.matrix);
      expect([openedIn02.lines, current.lines]).toEqual(
        Array(2).fill({ chosen: 'entries', inVersion02: 'entries', otherReading: 'table' }),
      );
      const table = await open('a.csv', content, { as: 'table' });
      expect(cellsOf(table)).toEqual([
        [1, 2, 3],
        [2, 1, 1],
      ]);
      expect(table.lines).toEqual({ chosen: 'table', inVersion02: 'entries', otherReading: 'entries' });
    },
  );
});

describe('readMatrix rejects a list of entries', () => {
  it.each([
    [
      'a.csv',
      '1,2,3,4\n5,6,7,8\n',
      'a.csv: line 1: found 4 fields, expected 2 or 3 for an entry: row, column and value',
    ],
    ['a.csv', '5\n6\n', 'a.csv: line 1: found 1 field, expected 2 or 3 for an entry: row, column and value'],
    [
      'a.csv',
      'name,a,b,c,d\nx,1,2,3,4\n',
      'a.csv: line 2: found 5 fields, expected 3 or 4 for an entry: row, column and value',
    ],
    ['a.csv', '0,1\n0.5,1\n', "a.csv: line 2, column 1: found '0.5', expected a row from 0 to 16777215"],
    ['a.csv', '0,1\n0,16777216\n', "a.csv: line 2, column 3: found '16777216', expected a column from 0 to 16777215"],
    ['a.csv', '0,1\n0,1,2\n', 'a.csv: line 2: found 3 fields, expected 2'],
    [
      'a.mtx',
      '%%MatrixMarket matrix array real general\n1 1\n1\n',
      'a.mtx: found mtx, expected a table of text, whose lines are entries',
    ],
  ])('%s %j, if the user chooses to read it as one', async (name, content, message) => {
    await expect(open(name, content, { as: 'entries' })).rejects.toThrow(new ReadError(message));
  });

  it('whose comments declare more rows than a matrix may have', async () => {
    const content = `# Nodes: 4000000000\n# FromNodeId\tToNodeId\n0\t1\n`;
    await expect(open('a.txt', content)).rejects.toThrow(
      'a.txt: entries: found 4000000000 rows, expected at most 2147483647',
    );
  });
});
