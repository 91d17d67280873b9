import { describe, expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { CancelledError } from '../../core/errors.ts';
import { defaultParams } from '../../core/format.ts';
import { finish, type Progress } from '../../core/job.ts';
import { csrMatrix, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { type ExtractedPair, extractSteps } from './extract.ts';
import { ecCsr } from './index.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import { plainOverlaps } from './overlap.ts';
import { type EcCsrParams, params } from './params.ts';

const DEFAULT: EcCsrParams = defaultParams(params);

/** Groups of 8 rows, scattered, with the same columns, and `noise` of the non-zeros anywhere else. */
function planted(rows: number, cols: number, density: number, noise: number): Matrix {
  const random = new Random(11);
  const shared = density * (1 - noise);
  const elsewhere = (density * noise) / (1 - shared);
  const patterns = Array.from({ length: rows / 8 }, () =>
    Array.from({ length: cols }, () => random.uniform() < shared),
  );
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  for (let r = 0; r < rows; r++) {
    const pattern = patterns[(r * 5) % patterns.length];
    for (let c = 0; c < cols; c++) if (pattern[c] || random.uniform() < elsewhere) indices.push(c);
    indptr[r + 1] = indices.length;
  }
  const data = new Float32Array(indices.length).fill(1);
  return csrMatrix({ rows, cols, indptr, indices: Uint32Array.from(indices), data });
}

describe('extractSteps (the search for blocks of rows with the same columns)', () => {
  it.each([0.2, 0.3, 0.5])('finds 90 % of 8-row blocks planted at density %d among 5 % noise', (density) => {
    const m = planted(1024, 4096, density, 0.05);
    const { sets } = finish(extractSteps(m, DEFAULT, fastOverlaps()));
    const largeBlocks = sets.find((set) => set.granularity === 8)?.blocks ?? [];
    const inBlocks = largeBlocks.reduce((sum, block) => sum + 8 * block.columns.length, 0);
    expect(inBlocks / (0.95 * density * 1024 * 4096)).toBeGreaterThan(0.9);
  });

  it('returns the same blocks with every search for partners', () => {
    const m = planted(64, 900, 0.4, 0.1);
    const p: EcCsrParams = { ...DEFAULT, lanes: 8 };
    expect(finish(extractSteps(m, p, fastOverlaps()))).toEqual(finish(extractSteps(m, p, plainOverlaps())));
  });

  it('uses witnesses (other rows with the shared columns) only if requested', () => {
    const m = planted(64, 900, 0.4, 0.1);
    const witnessCounts = (witnesses: EcCsrParams['witnesses']): number[] => {
      const counts: number[] = [];
      const listener = {
        pair: (pair: ExtractedPair) => counts.push(pair.witnesses.length),
        levelStarts: () => {},
        levelEnds: () => {},
      };
      finish(extractSteps(m, { ...DEFAULT, lanes: 8, witnesses }, plainOverlaps(), listener));
      return counts;
    };
    expect(Math.max(...witnessCounts('two'))).toBe(2);
    expect(Math.max(...witnessCounts('none'))).toBe(0);
  });

  it('reports level, round and coverage, can be cancelled at any of these, and can start over', () => {
    const m = planted(256, 2048, 0.4, 0.1);
    const reported: Progress[] = [];
    const uninterrupted = ecCsr.encode(m, DEFAULT, { report: (p) => reported.push(p), cancelled: false });
    expect(
      reported.some(({ what }) => /^granularity 2, round 1: \d+\u202f% of the non-zeros in blocks$/.test(what)),
    ).toBe(true);
    expect(reported.some(({ what }) => what.startsWith('granularity 8,'))).toBe(true);
    for (const stop of [1, reported.length >> 1, reported.length - 1]) {
      let reports = 0;
      const job = {
        report: () => {
          reports++;
        },
        get cancelled() {
          return reports >= stop;
        },
      };
      expect(() => ecCsr.encode(m, DEFAULT, job)).toThrow(CancelledError);
    }
    expect(ecCsr.encode(m, DEFAULT)).toEqual(uninterrupted);
  });

  it('rejects a matrix that exceeds the memory limit of the search before it begins', () => {
    const rows = 300_000;
    const m = csrOf([rows, 300_000], new Uint32Array(rows + 1), []);
    expect(ecCsr.admits(m, DEFAULT)).toEqual({
      ok: false,
      reason: 'search for blocks: 300000 × 300000 cells need 11.25 GB as bits, expected at most 1.07 GB',
      remedy: 'Choose a part of the matrix.',
    });
  });
});
