import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../core/errors.ts';
import { denseMatrix, type Matrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { generate } from '../../generate/generate.ts';
import { type OpenedMatrix, readMatrix } from '../read.ts';
import { writeMtx } from '../write/write-mtx.ts';

const open = (text: string): Promise<OpenedMatrix> => readMatrix(new Blob([text]));
const GENERAL = '%%MatrixMarket matrix coordinate real general\n';

async function cellsOf(text: string): Promise<{ cells: number[]; notes: readonly string[] }> {
  const { matrix, notes } = await open(text);
  return { cells: Array.from(toDense(matrix)), notes };
}

/** Bytes of a file in pieces of the given size, as from a slow medium. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, size: number): Blob {
  const blob = new Blob([bytes]);
  return Object.assign(blob, {
    slice: (from: number, to: number) => Blob.prototype.slice.call(blob, from, Math.min(to, from + size)),
  });
}

describe('coordinate', () => {
  it('reads comments, blank lines, CRLF, tabs, leading blanks, D exponents and a last line without an end', async () => {
    const text =
      '%%matrixmarket MATRIX Coordinate REAL General\r\n% a\r\n\r\n%b\r\n  2\t2  2 \r\n\r\n% c\r\n 1\t1  1d1 \r\n2 2 -2.5D-1';
    expect(await cellsOf(text)).toEqual({ cells: [10, 0, 0, -0.25], notes: [] });
  });

  it('reads a banner of one percent sign, as the Network Repository writes it', async () => {
    const { matrix, format } = await open('%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 4\n');
    expect([format, matrix.nnz]).toEqual(['mtx', 5]);
    expect([...toDense(matrix)]).toEqual([0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  });

  it('gives every entry of a pattern the value 1', async () => {
    const text = '%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n';
    expect(await cellsOf(text)).toEqual({
      cells: [0, 1, 1, 0],
      notes: ['A pattern without values: every entry is 1.'],
    });
  });

  it('sums duplicates in f64 and says so', async () => {
    const text = `${GENERAL}1 2 4\n1 2 1e8\n1 1 5\n1 2 0.5\n1 2 -1e8\n`;
    expect(await cellsOf(text)).toEqual({ cells: [5, 0.5], notes: ['1 cell has duplicate entries, summed.'] });
  });

  // The right values are those of scipy.io.mmread, rounded to f32 once.
  it.each([
    ['general\n2 2 5\n2 1 0.3\n1 1 0.1\n2 1 0.6\n1 2 1\n1 2 5.9604644775390625e-08', [0.1, 1, 0.8999999761581421, 0]],
    ['general\n1 2 4\n1 1 1e39\n1 2 3\n1 1 -1e39\n1 1 2.5', [2.5, 3]],
    ['general\n1 1 2\n1 1 16777216\n1 1 1.000000000000000000001', [16777216]],
    ['symmetric\n2 2 3\n2 1 0.3\n2 1 0.6\n1 1 7', [7, 0.8999999761581421, 0.8999999761581421, 0]],
    ['skew-symmetric\n2 2 2\n2 1 0.3\n2 1 0.6', [0, -0.8999999761581421, 0.8999999761581421, 0]],
  ])('rounds a sum once, and not each of its values: %j', async (file, cells) => {
    for (const size of [7, 1000]) {
      const bytes = new TextEncoder().encode(`%%MatrixMarket matrix coordinate real ${file}\n`);
      const { matrix } = await readMatrix(inPieces(bytes, size));
      expect([...toDense(matrix)]).toEqual(cells.map(Math.fround));
    }
  });

  it('does not store zeros and says so', async () => {
    const { matrix, notes } = await open(`${GENERAL}1 3 3\n1 1 0\n1 2 -0.0\n1 3 7\n`);
    expect(matrix.nnz).toBe(1);
    expect(notes).toEqual(['2 entries are zero and not stored.']);
  });

  it('reports what f32 cannot hold', async () => {
    const text = `${GENERAL}1 6 6\n1 1 1e39\n1 2 1e-50\n1 3 0.123456789012\n1 4 0.1\n1 5 nan\n1 6 -inf\n`;
    expect(await cellsOf(text)).toEqual({
      cells: [Number.POSITIVE_INFINITY, 0, Math.fround(0.123456789012), Math.fround(0.1), Number.NaN, -Infinity],
      notes: [
        '1 value was rounded to f32.',
        '1 value was beyond f32: now infinite.',
        '1 value was too small for f32: now zero.',
        '1 entry is zero and not stored.',
      ],
    });
  });

  it('calls no value infinite that a duplicate brings back into f32', async () => {
    const text = `${GENERAL}2 5 7\n1 1 1e39\n1 1 -1e39\n1 1 2\n1 2 1e39\n1 2 1e39\n1 3 1e39\n1 3 -0.9e39\n`;
    const { cells, notes } = await cellsOf(text);
    expect(cells.slice(0, 3)).toEqual([2, Number.POSITIVE_INFINITY, Math.fround(1e38)]);
    expect(notes).toEqual(['2 values were beyond f32: now infinite.', '3 cells have duplicate entries, summed.']);
    const symmetric = '%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 1e39\n2 1 -1e39\n1 1 4\n';
    expect(await cellsOf(symmetric)).toEqual({
      cells: [4, 0, 0, 0],
      notes: expect.not.arrayContaining([expect.stringContaining('infinite')]),
    });
  });

  it('accepts an f32 that was printed as an f64', async () => {
    const text = `${GENERAL}1 1 1\n1 1 0.10000000149011612\n`;
    expect(await cellsOf(text)).toEqual({ cells: [Math.fround(0.1)], notes: [] });
  });

  it('opens matrices without entries, rows or columns', async () => {
    for (const shape of ['0 0 0', '0 5 0', '5 0 0', '3 3 0']) {
      const { matrix } = await open(`${GENERAL}${shape}\n`);
      expect(`${matrix.rows} ${matrix.cols} ${matrix.nnz}`).toBe(shape);
    }
  });
});

describe('write, then read', () => {
  const cell = fc.oneof(fc.constant(0), fc.float());
  const matrices = fc
    .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
    .chain(([rows, cols]) =>
      fc
        .array(cell, { minLength: rows * cols, maxLength: rows * cols })
        .map((cells) => denseMatrix(rows, cols, Float32Array.from(cells))),
    );

  it('gives the same matrix, bit for bit, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.integer({ min: 1, max: 50 }), async (m, size) => {
        const bytes = await new Blob([...writeMtx(m)]).arrayBuffer();
        const { matrix } = await readMatrix(inPieces(new Uint8Array(bytes), size));
        expect(sameBits(matrix, m)).toBe(true);
      }),
    );
  });
});

it('can be cancelled in the middle, and reports progress until then', async () => {
  const m = generate({ pattern: 'uniform', rows: 1000, cols: 1000, density: 0.3, seed: 1 });
  const bytes = new Uint8Array(await new Blob([...writeMtx(m)]).arrayBuffer());
  const reports: number[] = [];
  const job = {
    cancelled: false,
    report({ done, total }: { done: number; total: number }): void {
      reports.push(done / total);
      if (reports.length === 3) this.cancelled = true;
    },
  };
  await expect(readMatrix({ name: 'a.mtx', bytes }, {}, job)).rejects.toThrow(CancelledError);
  expect(reports.length).toBe(3);
  expect(reports[2]).toBeLessThan(1);
});

function sameBits(a: Matrix, b: Matrix): boolean {
  const [x, y] = [toCsr(a), toCsr(b)];
  const equal = (p: ArrayLike<number>, q: ArrayLike<number>): boolean =>
    p.length === q.length && Array.from(p).every((v, i) => Object.is(v, q[i]));
  return a.cols === b.cols && equal(x.indptr, y.indptr) && equal(x.indices, y.indices) && equal(x.data, y.data);
}
