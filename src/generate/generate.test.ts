import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError, MatrixError } from '../core/errors.ts';
import { type CsrArrays, csrMatrix, density, toCsr, toDense } from '../core/matrix/index.ts';
import { type GenerateSpec, generate, generateSteps } from './generate.ts';
import { patterns } from './patterns.ts';
import { powerLaw } from './pattern-steps.ts';
import { rejectionOf } from '../../test/io/rejections.ts';
import { cases } from '../../test/scheduled.ts';

const SPEC: GenerateSpec = { pattern: 'uniform', rows: 96, cols: 200, density: 0.25, seed: 7 };

function hash(arrays: CsrArrays): string {
  const sum = createHash('sha256');
  for (const array of [arrays.indptr, arrays.indices, arrays.data]) sum.update(array);
  return sum.digest('hex').slice(0, 16);
}

/** The density that a pattern can produce nearest to `wanted`: N:4 only in quarters, activations with dead neurons at most 0.7. */
function possibleDensity(pattern: string, wanted: number): number {
  if (pattern === 'activations') return Math.min(0.7, wanted);
  return pattern === 'n-of-m' ? Math.round(wanted * 4) / 4 : wanted;
}

describe.each(patterns.map((p) => p.id))('%s', (pattern) => {
  it('generates a valid matrix of any shape, without zeros, reproducibly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 70 }),
        fc.integer({ min: 0, max: 70 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(2 ** 32 - 1),
        (rows, cols, wanted, seed) => {
          const spec = { pattern, rows, cols, density: possibleDensity(pattern, wanted), seed };
          const m = toCsr(generate(spec));
          expect(csrMatrix(m).nnz).toBe(m.data.length);
          expect(m.data.includes(0)).toBe(false);
          expect(hash(m)).toBe(hash(toCsr(generate(spec))));
        },
      ),
    );
  });

  it.each([0, 0.002, 0.03, 0.25, 0.5, 0.75, 1])('hits density %d within five standard deviations', (wanted) => {
    const d = possibleDensity(pattern, wanted);
    const rows = 300;
    const cols = 500;
    for (let seed = 0; seed < cases(2, 5); seed++) {
      const found = generate({ pattern, rows, cols, density: d, seed }).nnz;
      expect(Math.abs(found - d * rows * cols)).toBeLessThanOrEqual(5 * Math.sqrt(d * (1 - d) * rows * cols));
    }
  });

  it('generates other matrices for other seeds', () => {
    const hashes = Array.from({ length: 8 }, (_, seed) => hash(toCsr(generate({ ...SPEC, pattern, seed }))));
    expect(new Set(hashes).size).toBe(8);
  });

  it('can be cancelled', () => {
    const spec = { ...SPEC, pattern, rows: 4000, cols: 1000 };
    expect(() => generate(spec, { report: () => {}, cancelled: true })).toThrow(CancelledError);
  });

  it('reports progress that rises to at most its total', () => {
    const steps = generateSteps({ ...SPEC, pattern, rows: 4000, cols: 1000 });
    const reports = [...steps];
    expect(reports.length).toBeGreaterThan(1);
    for (const [i, { done, total }] of reports.entries()) {
      expect(done).toBeLessThanOrEqual(total);
      expect(done).toBeGreaterThanOrEqual(reports[Math.max(0, i - 1)].done);
    }
  });

  it('has options whose defaults are in their range', () => {
    for (const option of patterns.find((p) => p.id === pattern)?.options ?? []) {
      expect(option.default).toBeGreaterThanOrEqual(option.min);
      expect(option.default).toBeLessThanOrEqual(option.max);
    }
  });
});

describe('the same spec gives the same matrix on every machine', () => {
  // Each row: pattern, options, and the first 16 hex digits of the SHA-256 of the CSR arrays.
  it.each([
    ['uniform', {}, '9e74ab5623c4191a'],
    ['magnitude', {}, '0514bb6502fce5a9'],
    ['n-of-m', {}, 'fdb8e922b99c5488'],
    ['row-skewed', {}, 'd7245ab165ca18c6'],
    ['row-skewed', { exponent: 1.7, sorted: 1 }, '0646f8b202b02eb5'],
    ['banded', { fill: 0.4 }, '9ac2965c3bb8a7c8'],
    ['blocks', { blockSize: 7, fill: 0.6 }, 'c2a2518af035c956'],
    ['planted-blocks', { width: 12, noise: 0.1 }, '02b640ac2b3acf02'],
    ['shared-columns', { groupRows: 5 }, '4843898b306dd0da'],
    ['outlier-columns', { share: 0.05 }, '90dd9171ba6de7c3'],
    ['activations', {}, '30ca4d253160134b'],
    ['activations', { tokenSkew: 1.5, positionDecay: 0.5, dead: 0.6 }, '970f9e1a1db2b748'],
  ])('%s %o', (pattern, options, golden) => expect(hash(toCsr(generate({ ...SPEC, pattern, options })))).toBe(golden));

  it('uniform at a low density, at which the gaps between non-zeros are drawn', () => {
    expect(hash(toCsr(generate({ ...SPEC, density: 0.01 })))).toBe('131200e3dc18d556');
  });
});

it('uniform spreads evenly over rows and columns', () => {
  for (const d of [0.01, 0.3]) {
    const { indices } = toCsr(generate({ pattern: 'uniform', rows: 1000, cols: 100, density: d, seed: 1 }));
    const perColumn = new Float64Array(100);
    for (const c of indices) perColumn[c]++;
    for (const n of perColumn) expect(Math.abs(n - 1000 * d)).toBeLessThan(5 * Math.sqrt(1000 * d * (1 - d)));
  }
});

it('magnitude keeps exactly round(density × cells) entries, those above a quantile of the normal distribution', () => {
  const m = toCsr(generate({ pattern: 'magnitude', rows: 301, cols: 77, density: 0.3, seed: 5 }));
  expect(m.data.length).toBe(Math.round(0.3 * 301 * 77));
  const smallest = m.data.reduce((min, v) => Math.min(min, Math.abs(v)), Number.POSITIVE_INFINITY);
  // 30 % of normal values have a magnitude above 1.036.
  expect(smallest).toBeCloseTo(1.036, 1);
});

describe('n-of-m', () => {
  it('has exactly N non-zeros in every group of M columns', () => {
    const cells = toDense(generate({ pattern: 'n-of-m', rows: 20, cols: 42, density: 0.5, seed: 5 }));
    for (let r = 0; r < 20; r++) {
      for (let c = 0; c < 42; c += 4) {
        const group = cells.subarray(r * 42 + c, r * 42 + Math.min(42, c + 4));
        expect(group.filter((v) => v !== 0).length).toBe(group.length / 2);
      }
    }
  });

  it('rejects a density between two shares of the group, and names both', () => {
    expect(() => generate({ ...SPEC, pattern: 'n-of-m', density: 0.3 })).toThrow(
      'density: found 0.3, expected N / 4 with a whole N, such as 1 / 4 or 2 / 4',
    );
  });

  it('lists the densities that it can produce', () => {
    const info = patterns.find((p) => p.id === 'n-of-m');
    expect(info?.densities?.({ m: 4 })).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });
});

it('row-skewed has row densities that fall with the exponent and are at most 1', () => {
  // 1000 rows, exponent 1, mean density 0.3.
  const rowDensities = powerLaw(1000, 1, 0.3);
  expect(rowDensities.reduce((a, b) => a + b, 0)).toBeCloseTo(300, 9);
  expect(rowDensities[0]).toBe(1);
  // Row r has a density proportional to 1 / (r + 1).
  expect(rowDensities[998] / rowDensities[499]).toBeCloseTo(500 / 999, 9);
  expect(Math.max(...rowDensities)).toBeLessThanOrEqual(1);
});

it('banded leaves the corners far from the diagonal empty', () => {
  const m = generate({ pattern: 'banded', rows: 100, cols: 200, density: 0.1, seed: 5, options: { fill: 0.5 } });
  const { indptr, indices } = toCsr(m);
  // The diagonal is at column 2 r; with a fill of 0.5 the band has 40 columns.
  for (let r = 0; r < 100; r++) {
    for (const c of indices.subarray(indptr[r], indptr[r + 1])) expect(Math.abs(c - 2 * r)).toBeLessThan(30);
  }
  expect(density(m)).toBeCloseTo(0.1, 1);
});

it('blocks fills the chosen blocks and leaves the others empty', () => {
  const m = generate({ pattern: 'blocks', rows: 96, cols: 96, density: 0.25, seed: 5, options: { blockSize: 8 } });
  const cells = toDense(m);
  const nnzByBlock = new Map<number, number>();
  cells.forEach((v, i) => {
    const block = Math.floor(i / (96 * 8)) * 12 + Math.floor((i % 96) / 8);
    nnzByBlock.set(block, (nnzByBlock.get(block) ?? 0) + (v === 0 ? 0 : 1));
  });
  // A quarter of the 12 × 12 blocks has all of its 64 cells.
  expect([...nnzByBlock.values()].filter((nnz) => nnz === 64).length).toBe(36);
  expect([...nnzByBlock.values()].filter((nnz) => nnz === 0).length).toBe(108);
});

it('planted-blocks has the same columns in all rows of a group, in blocks of the given width', () => {
  const options = { granularity: 4, width: 10, noise: 0 };
  const m = toCsr(generate({ pattern: 'planted-blocks', rows: 16, cols: 200, density: 0.25, seed: 5, options }));
  const columnsOf = (r: number): Uint32Array => m.indices.subarray(m.indptr[r], m.indptr[r + 1]);
  for (let r = 0; r < 16; r++) {
    expect(columnsOf(r).length).toBe(50);
    const firstOfGroup = r - (r % 4);
    expect(columnsOf(r)).toEqual(columnsOf(firstOfGroup));
    const blocks = new Set(Array.from(columnsOf(r), (c) => Math.floor(c / 10)));
    expect(blocks.size).toBe(5);
  }
  expect(columnsOf(0)).not.toEqual(columnsOf(4));
});

describe('shared-columns', () => {
  it('has groups of rows with the same columns, which are not all next to each other', () => {
    const options = { groupRows: 4, noise: 0 };
    const { indptr, indices } = toCsr(
      generate({ pattern: 'shared-columns', rows: 40, cols: 100, density: 0.2, seed: 5, options }),
    );
    const rows = Array.from({ length: 40 }, (_, r) => indices.subarray(indptr[r], indptr[r + 1]).join());
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array<number>(10).fill(4));
    expect(rows.filter((row, r) => row === rows[r + 1]).length).toBeLessThan(10);
  });

  it('moves the share `noise` of the non-zeros to other columns', () => {
    const options = { groupRows: 8, noise: 0.25 };
    const { indptr, indices } = toCsr(
      generate({ pattern: 'shared-columns', rows: 800, cols: 400, density: 0.2, seed: 5, options }),
    );
    const row0 = new Set(indices.subarray(indptr[0], indptr[1]));
    // Rows of the same group share at least 60 of about 80 columns; a row of another group shares about 16.
    let rowsOfSameGroup = 0;
    for (let r = 1; r < 800; r++) {
      const shared = indices.subarray(indptr[r], indptr[r + 1]).filter((c) => row0.has(c)).length;
      if (shared >= 60) rowsOfSameGroup++;
    }
    expect(rowsOfSameGroup).toBe(7);
    expect(indices.length / 800).toBeCloseTo(80, 0);
  });
});

it('outlier-columns has a few columns that are denser and larger', () => {
  const { indices, data } = toCsr(
    generate({ pattern: 'outlier-columns', rows: 500, cols: 200, density: 0.1, seed: 5 }),
  );
  // Of each column.
  const count = new Float64Array(200);
  const sum = new Float64Array(200);
  indices.forEach((c, i) => {
    count[c]++;
    sum[c] += Math.abs(data[i]);
  });
  const byCount = [...count.keys()].toSorted((a, b) => count[b] - count[a]);
  const byMeanMagnitude = [...count.keys()].toSorted((a, b) => sum[b] / count[b] - sum[a] / count[a]);
  // By default 1 % of the columns are outliers: 2 of 200.
  expect(new Set(byCount.slice(0, 2))).toEqual(new Set(byMeanMagnitude.slice(0, 2)));
  expect(count[byCount[1]] / count[byCount[2]]).toBeGreaterThan(4);
});

describe('activations', () => {
  /** The arrays of `rows` tokens of 1000 neurons. */
  const activations = (rows: number, change: Partial<GenerateSpec>): CsrArrays =>
    toCsr(generate({ pattern: 'activations', rows, cols: 1000, density: 0.05, seed: 5, ...change }));
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('has the density, the dead neurons and values above 0, for any options', () => {
    fc.assert(
      fc.property(share, share, share, share, fc.nat(2 ** 32 - 1), (skew, decay, dead, d, seed) => {
        const options = { tokenSkew: 3 * skew, positionDecay: 2 * decay, dead };
        const density = Math.min(1, d * (1 - dead));
        const { indptr, indices, data } = activations(40, { density, seed, options });
        const deviation = Math.sqrt(density * (1 - density) * 40_000);
        expect(Math.abs(indptr[40] - 40_000 * density)).toBeLessThanOrEqual(6 * deviation + 1e-6);
        expect(new Set(indices).size).toBeLessThanOrEqual(1000 - Math.floor(dead * 1000));
        expect(data.every((v) => v > 0)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('has exactly the requested share of dead neurons, and the others fire equally often', () => {
    const { indices } = activations(4000, { options: { dead: 0.3 } });
    const perColumn = new Float64Array(1000);
    for (const c of indices) perColumn[c]++;
    const alive = perColumn.filter((n) => n > 0);
    expect(alive.length).toBe(700);
    const mean = indices.length / 700;
    for (const n of alive) expect(Math.abs(n - mean)).toBeLessThan(5 * Math.sqrt(mean));
  });

  it('has tokens whose number of non-zeros has a logarithm with the standard deviation tokenSkew', () => {
    const options = { tokenSkew: 0.5, positionDecay: 0, dead: 0 };
    const { indptr } = toCsr(
      generate({ pattern: 'activations', rows: 2000, cols: 20_000, density: 0.02, seed: 5, options }),
    );
    const logs = Array.from({ length: 2000 }, (_, r) => Math.log(indptr[r + 1] - indptr[r]));
    const mean = logs.reduce((a, b) => a + b) / 2000;
    const deviation = Math.sqrt(logs.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 2000);
    // Counting about 400 non-zeros adds a relative deviation of 1 / 20. The standard error of the estimate is 0.008.
    expect(Math.abs(deviation - Math.hypot(0.5, 0.05))).toBeLessThan(0.04);
  });

  it('has tokens whose non-zeros fall with a power of the position, on average over seeds', () => {
    const options = { tokenSkew: 0.4, positionDecay: 0.4, dead: 0 };
    /** sums of the mean non-zeros of tokens 2^k to 2^(k + 1) − 1, counted from 1 */
    const octaves = new Float64Array(10);
    for (let seed = 0; seed < 20; seed++) {
      const { indptr } = activations(1023, { seed, options });
      octaves.forEach((_, k) => (octaves[k] += (indptr[2 ** (k + 1) - 1] - indptr[2 ** k - 1]) / 2 ** k));
    }
    for (let k = 3; k < 10; k++) expect(octaves[k]).toBeLessThan(octaves[k - 1]);
    // Five octaves later there are 2^(−5 × 0.4) times as many.
    expect(Math.log2(octaves[4] / octaves[9]) / 5).toBeCloseTo(0.4, 1);
  });

  it('has tokens with equally many non-zeros without tokenSkew and positionDecay', () => {
    const { indptr } = activations(500, { density: 0.2, options: { tokenSkew: 0, positionDecay: 0, dead: 0.5 } });
    // 500 of the 1000 neurons are not dead, and fire with a probability of 0.4.
    const deviation = Math.sqrt(500 * 0.4 * 0.6);
    for (let r = 0; r < 500; r++) expect(Math.abs(indptr[r + 1] - indptr[r] - 200)).toBeLessThan(5 * deviation);
  });

  it('has values with the mean and variance of the half-normal distribution', () => {
    const { data } = activations(2000, {});
    const mean = data.reduce((a, b) => a + b, 0) / data.length;
    expect(mean).toBeCloseTo(Math.sqrt(2 / Math.PI), 1);
    expect(data.reduce((a, b) => a + b * b, 0) / data.length).toBeCloseTo(1, 1);
  });
});

it('an invalid spec is rejected with one message', async () => {
  const wrong: readonly Partial<GenerateSpec>[] = [
    { pattern: 'stripes' },
    { rows: -1 },
    { cols: 2.5 },
    { density: 1.5 },
    { density: Number.NaN },
    { seed: -1 },
    { seed: 0.5 },
    { options: { width: 3 } },
    { pattern: 'banded', options: { width: 3 } },
    { pattern: 'banded', options: { fill: 0 } },
    { pattern: 'banded', options: { fill: 0.1 } },
    { pattern: 'blocks', options: { fill: 0.1 } },
    { pattern: 'activations', density: 0.8 },
    { pattern: 'activations', options: { tokenSkew: 4 } },
    { pattern: 'blocks', options: { blockSize: 2.5 } },
    { pattern: 'blocks', rows: 2 ** 16, cols: 2 ** 16, density: 0.001, options: { blockSize: 2 } },
    { rows: 2 ** 16, cols: 2 ** 16 },
    { pattern: 'magnitude', rows: 2 ** 20, cols: 2 ** 20, density: 1e-6 },
  ];
  const texts = wrong.map((change) => {
    const text = rejectionOf(() => generate({ ...SPEC, ...change }), MatrixError);
    return `${JSON.stringify(change)}\n  ${text}\n`;
  });
  await expect(texts.join('')).toMatchFileSnapshot('words/specs.txt');
});
