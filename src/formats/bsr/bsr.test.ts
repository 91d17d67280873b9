import { describe, expect, it } from 'vitest';
import { columnsMatrix, matrixOf, uniformMatrix } from '../../../test/matrices.ts';
import { csrMatrix, toDense } from '../../core/matrix/index.ts';
import { narrationText } from '../../core/story/scene.ts';
import { generate } from '../../generate/generate.ts';
import { bsr } from './index.ts';
import { BLOCK_SIZES, type BsrParams } from './params.ts';
import { story } from './story/index.ts';
import { cases } from '../../../test/scheduled.ts';

const P2: BsrParams = { blockSize: 2, valueType: 'f32' };
/** The worked example of docs/formats/bsr.md. */
const A = matrixOf([0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5]);

describe('bsr encode', () => {
  it('gives the arrays of SciPy', () => {
    const e = bsr.encode(A, P2);
    expect(Array.from(e.data)).toEqual([0, 3, 1, 0, 0, 0, 0, 5]);
    expect(e.indices).toEqual(Uint32Array.of(0, 1));
    expect(e.indptr).toEqual(Uint32Array.of(0, 1, 2));
    expect(e.nnz).toBe(3);
  });

  it('sorts block columns that rows of a block row reach in any order', () => {
    const e = bsr.encode(columnsMatrix(16, [[9, 12], [2], [], [15]]), { blockSize: 4, valueType: 'f16' });
    expect(Array.from(e.indices)).toEqual([0, 2, 3]);
    expect(Array.from(e.indptr)).toEqual([0, 3]);
  });

  it('fills the last blocks with zeros where they reach beyond the matrix', () => {
    const e = bsr.encode(matrixOf([1, 2, 3], [4, 5, 6], [7, 8, 9]), P2);
    expect(Array.from(e.data)).toEqual([1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0]);
    expect(Array.from(toDense(bsr.decode(e)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(bsr.storage(e).totalBits.padding).toBe(7 * 32);
  });

  it('keeps the block of a value that rounds to 0, which becomes one of its zeros', () => {
    const e = bsr.encode(matrixOf([1e-9, 0], [0, 0]), { blockSize: 2, valueType: 'f16' });
    expect([e.nnz, e.indices.length]).toEqual([0, 1]);
    expect(bsr.decode(e).nnz).toBe(0);
  });

  it('scales every row of a block by its own largest value in i8', () => {
    const e = bsr.encode(matrixOf([127, -1], [0.5, 0.25]), { blockSize: 2, valueType: 'i8' });
    expect(Array.from(e.data)).toEqual([127, -1, 127, 64]);
    expect(Array.from(e.scales)).toEqual([1, Math.fround(0.5 / 127)]);
  });

  it('refuses more blocks than one array holds, with need, limit and a remedy', () => {
    // One non-zero in every block of 2100 × 2100.
    const edge = 16 * 2100;
    const indptr = Uint32Array.from({ length: edge + 1 }, (_, r) => 2100 * Math.ceil(r / 16));
    const indices = Uint32Array.from({ length: 2100 ** 2 }, (_, i) => 16 * (i % 2100));
    const m = csrMatrix({ rows: edge, cols: edge, indptr, indices, data: new Float32Array(indices.length).fill(1) });
    const admission = bsr.admits(m, { blockSize: 16, valueType: 'f32' });
    expect(admission).toMatchObject({
      ok: false,
      reason: 'data: needs 4.52 GB, one array holds at most 4.29 GB',
      remedy: 'Choose smaller blocks, a narrower value type, or a part of the matrix.',
    });
  });
});

describe('bsr validate', () => {
  const e = bsr.encode(matrixOf([1, 2, 3], [4, 5, 6], [7, 8, 9]), P2);
  const messages = (change: Partial<typeof e>): string[] =>
    bsr.validate({ ...e, ...change }, 'full').map((violation) => violation.message);

  it('says where blocks, offsets or cells are wrong', () => {
    expect(messages({ indices: Uint32Array.of(0, 2, 0, 1) })).toEqual([
      'indices[1] in row 0: found column 2, expected below 2',
    ]);
    expect(messages({ indptr: Uint32Array.of(0, 5, 4) })[0]).toBe(
      'indptr[2]: found 4, expected at least indptr[1] = 5',
    );
    const data = Float32Array.from(e.data);
    data[5] = 7;
    expect(messages({ data })).toEqual(['data[5], beyond the matrix: found 7, expected 0']);
  });

  it('notices a changed value that still makes a legal matrix', () => {
    const data = Float32Array.from(e.data);
    data[0] = 2;
    expect(messages({ data })[0]).toMatch(/^checksum of data: found \d+, expected as encoded = \d+$/);
  });
});

describe('bsr storage', () => {
  it('is what the closed form expects of uniform matrices, within 2 %', () => {
    for (const [i, density] of [0.01, 0.03, 0.1, 0.5].entries()) {
      const m = uniformMatrix(768, 768, density, 7);
      for (const [j, blockSize] of BLOCK_SIZES.entries()) {
        for (const [k, valueType] of (['f16', 'f32', 'i8'] as const).entries()) {
          // Every pair of a density, a size and a type is among a third of them.
          if ((i + j + k) % cases(3, 1) !== 0) continue;
          const ledger = bsr.storage(bsr.encode(m, { blockSize, valueType }));
          const measured = ledger.effectiveDensity * (1 - ledger.totalBits.metadata / (8 * ledger.totalBytes));
          const { expected } = bsr.expectedEffectiveDensity?.(m.nnz / 768 ** 2, { blockSize, valueType }, m) ?? {
            expected: 0,
          };
          expect(Math.abs(measured / expected - 1), `${blockSize} ${valueType} ${density}`).toBeLessThan(0.02);
        }
      }
    }
  });

  it('reaches the best of the closed form if blocks are full, and the worst if each holds one non-zero', () => {
    const full = generate({
      pattern: 'blocks',
      rows: 256,
      cols: 256,
      density: 0.25,
      seed: 1,
      options: { blockSize: 8, fill: 1 },
    });
    const p: BsrParams = { blockSize: 8, valueType: 'f16' };
    const size = (m: typeof full): number => {
      const { effectiveDensity, totalBits } = bsr.storage(bsr.encode(m, p));
      return effectiveDensity - totalBits.metadata / (m.rows * m.cols * 16);
    };
    expect(size(full)).toBeCloseTo(bsr.expectedEffectiveDensity?.(full.nnz / 256 ** 2, p, full).best ?? 0, 10);
    const lonely = columnsMatrix(
      64,
      Array.from({ length: 64 }, (_, r) => (r % 8 === 0 ? [0, 8, 16, 24, 32, 40, 48, 56] : [])),
    );
    expect(size(lonely)).toBeCloseTo(bsr.expectedEffectiveDensity?.(lonely.nnz / 64 ** 2, p, lonely).worst ?? 0, 10);
  });
});

describe('bsr facts', () => {
  it('report how many blocks are stored, how full they are, and when no zero is stored with them', () => {
    const notes = (m: typeof A): readonly (string | undefined)[] =>
      (bsr.facts?.(bsr.encode(m, P2)) ?? []).map(({ value, note }) => `${value}: ${note}`);
    expect(notes(A)).toEqual(['50.0\u202f%: 2 of 4.', '37.5\u202f%: 1.5 of 4 cells on average.']);
    expect(notes(matrixOf([1, 2], [3, 4]))[1]).toBe('100\u202f%: No zeros are stored.');
    expect(notes(matrixOf([0, 0], [0, 0]))).toEqual([]);
  });
});

describe('bsr multiply', () => {
  it('does not let an infinity of x through the zeros of a block', () => {
    const y = new Float32Array(4);
    bsr.multiply(bsr.encode(A, P2), Float32Array.of(Number.POSITIVE_INFINITY, 2, Number.NaN, 1), y);
    expect(Array.from(y)).toEqual([6, Number.POSITIVE_INFINITY, 0, 5]);
  });
});

describe('the story of bsr', () => {
  const t = story.trace(A, P2);

  it('says which cells a block column names, and outlines them, before it fills them', () => {
    const said = t.steps.slice(3, 7).map((_, i) => narrationText(story.scene(t, i + 4)));
    expect(said).toEqual([
      'indices[0] = 0 names rows 0 to 1, columns 0 to 1.',
      'Row 0, column 1 holds 3: data[1] = 3.',
      'Row 1, column 0 holds 1: data[2] = 1.',
      '2 zeros fill data: zeros inside stored blocks.',
    ]);
    const outlined = story.scene(t, 4).panels[0].marks.find(({ shape }) => shape === 'frame');
    expect(outlined).toMatchObject({ x: 0, y: 0, w: 2, h: 2, focus: true });
  });

  it('draws zeros of stored blocks as padding once they are told', () => {
    const cells = (step: number) =>
      story
        .scene(t, step)
        .panels.find(({ id }) => id === 'elements of data')
        ?.marks.map(({ tone, state }) => state ?? tone);
    expect(cells(6)).toEqual(['ghost', 'values', 'values', ...Array<string>(5).fill('ghost')]);
    expect(cells(7)).toEqual(['padding', 'values', 'values', 'padding', ...Array<string>(4).fill('ghost')]);
  });
});
