import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CancelledError } from '../../core/errors.ts';
import type { Progress } from '../../core/job.ts';
import { denseMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';
import { writeMtx } from '../write/write-mtx.ts';

/** Bytes of a file in pieces of the given size, as from a slow medium. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, size: number): Blob {
  const blob = new Blob([bytes]);
  return Object.assign(blob, {
    slice: (from: number, to: number) => Blob.prototype.slice.call(blob, from, Math.min(to, from + size)),
  });
}

const cell = fc.oneof(fc.constant(0), fc.float());
const matrices = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
  .chain(([rows, cols]) =>
    fc
      .array(cell, { minLength: rows * cols, maxLength: rows * cols })
      .map((cells) => denseMatrix(rows, cols, Float32Array.from(cells))),
  );

it('a written matrix is read back, bit for bit, however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(matrices, fc.integer({ min: 1, max: 50 }), async (m, size) => {
      const bytes = await new Blob([...writeMtx(m)]).arrayBuffer();
      const { matrix } = await readMatrix(inPieces(new Uint8Array(bytes), size));
      expect(sameBits(matrix, m)).toBe(true);
    }),
  );
});

const LINES = '0.0000001\n'.repeat(500_000);
it.each([
  ['a.mtx', `%%MatrixMarket matrix array real general\n500000 1\n${LINES}`],
  ['a.csv', LINES],
])('can be cancelled in the middle, and reports progress until then: %s', async (name, text) => {
  const reports: Progress[] = [];
  const job = {
    cancelled: false,
    report(progress: Progress): void {
      reports.push(progress);
      if (reports.length === 3) this.cancelled = true;
    },
  };
  const reading = readMatrix({ name, bytes: new TextEncoder().encode(text) }, {}, job);
  await expect(reading).rejects.toThrow(CancelledError);
  expect(reports).toHaveLength(3);
  expect(reports[2]).toMatchObject({ what: 'Reading', total: text.length });
  expect(reports[2].done).toBeLessThan(text.length);
});

function sameBits(a: Matrix, b: Matrix): boolean {
  const [x, y] = [toCsr(a), toCsr(b)];
  const equal = (p: ArrayLike<number>, q: ArrayLike<number>): boolean =>
    p.length === q.length && Array.from(p).every((v, i) => Object.is(v, q[i]));
  return a.cols === b.cols && equal(x.indptr, y.indptr) && equal(x.indices, y.indices) && equal(x.data, y.data);
}
