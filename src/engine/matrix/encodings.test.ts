import { describe, expect, it } from 'vitest';
import { FormatError } from '../../core/errors.ts';
import { defaultParams, defineFormat, type EncodedMatrix } from '../../core/format.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { ledger } from '../../core/encoded/ledger.ts';
import { formats } from '../../formats/registry.ts';
import { Encodings } from './encodings.ts';
import { ServiceJob } from '../bridge/service-job.ts';
import { ignore } from '../../../test/engine.ts';

interface Kilobytes extends EncodedMatrix {
  readonly data: Uint8Array;
}

/** A format that needs as many kilobytes as its parameter; with -1 its allocation fails, with -2 it throws another error. */
const kilobytes = defineFormat<Kilobytes, { size: number }>({
  id: 'kilobytes',
  title: 'Kilobytes',
  summary: '',
  shortSummary: '',
  group: 'classic',
  source: null,
  colors: { light: '#000000', dark: '#FFFFFF' },
  bestExample: { id: 'none', what: 'nothing' },
  params: { size: { kind: 'integer', label: 'size', meaning: '', default: 1, min: -2, max: 10 } },
  admits: (_, { size }) => (size === 0 ? { ok: false, reason: 'too small', remedy: null } : { ok: true, notes: [] }),
  *encodeSteps({ rows, cols, nnz }, { size }) {
    created.push(size);
    if (size === -2) throw new TypeError('a mistake');
    yield { what: 'encoding', done: 0, total: 1 };
    return { rows, cols, nnz, checksums: {}, data: new Uint8Array(size === -1 ? 2 ** 60 : size * 1024) };
  },
  decode: () => matrix,
  rules: { data: null },
  validate: (_, level) => [{ array: 'data', index: null, message: level }],
  storage: () => ledger([], 1),
  multiply: () => {},
  effort: 1,
  comparison: { size: () => 'open', why: () => '' },
  story: () => Promise.reject(new Error('not used')),
  kernels: [],
});

/** the parameter of each encoding that was made */
const created: number[] = [];
const matrix = denseMatrix(2, 2, Float32Array.of(1, 0, 0, 2));
const pace = { now: () => performance.now(), pause: async () => {} };
const job = new ServiceJob(pace, ignore);

describe('Encodings', () => {
  it('summarises every registered format as it describes itself', async () => {
    const encodings = new Encodings(matrix, pace);
    for (const format of formats) {
      const params = defaultParams<object>(format.params);
      const summary = await encodings.summary(format, { ...params }, job);
      expect(summary).toMatchObject({
        format: format.id,
        params,
        support: { ok: true },
        ledger: format.storage(format.encode(matrix, params)),
        facts: format.facts?.(format.encode(matrix, params), summary.encodeMs) ?? [],
        violations: [],
        bounds: format.expectedEffectiveDensity?.(0.5, params, { rows: 2, cols: 2 }) ?? null,
      });
    }
  });

  it('caches arrays within the budget, and drops the least recently used ones', async () => {
    created.length = 0;
    const encodings = new Encodings(matrix, pace, 4 * 1024);
    for (const size of [1, 2, 1, 3]) await encodings.encoding(kilobytes, { size }, job);
    expect(encodings.cachedBytes).toBe(4 * 1024);
    await encodings.encoding(kilobytes, { size: 1 }, job);
    await encodings.encoding(kilobytes, { size: 2 }, job);
    expect(created).toEqual([1, 2, 3, 2]);
  });

  it('does not cache arrays larger than the budget', async () => {
    created.length = 0;
    // Memory is freed beforehand for the expected size, 8 bytes for each of two non-zeros.
    const encodings = new Encodings(matrix, pace, 1024 + 16);
    await encodings.encoding(kilobytes, { size: 1 }, job);
    await encodings.encoding(kilobytes, { size: 5 }, job);
    await encodings.encoding(kilobytes, { size: 1 }, job);
    expect(created).toEqual([1, 5]);
  });

  it('encodes once for the same parameters, in any order', async () => {
    created.length = 0;
    const encodings = new Encodings(matrix, pace, 0);
    const first = await encodings.summary(kilobytes, { size: 3, other: 1 }, job);
    expect(await encodings.summary(kilobytes, { other: 1, size: 3 }, job)).toBe(first);
    expect(created).toEqual([3]);
  });

  it('reports why a format does not support the matrix, or that there is too little memory', async () => {
    const encodings = new Encodings(matrix, pace);
    expect(await encodings.summary(kilobytes, { size: 0 }, job)).toMatchObject({
      support: { ok: false, reason: 'too small' },
      ledger: null,
      validated: null,
    });
    const { support } = await encodings.summary(kilobytes, { size: -1 }, job);
    expect(support).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^Kilobytes of 2 × 2 with 2 non-zeros: out of memory \(.*\); choose/),
    });
    await expect(encodings.encoding(kilobytes, { size: -1 }, job)).rejects.toThrow(FormatError);
  });

  it('rejects with an unexpected error of an encoder', async () => {
    await expect(new Encodings(matrix, pace).summary(kilobytes, { size: -2 }, job)).rejects.toThrow('a mistake');
  });

  it('validates every element of small encodings only, and reports which validation it made', async () => {
    const summary = await new Encodings(matrix, pace).summary(kilobytes, { size: 1 }, job);
    expect(summary).toMatchObject({ validated: 'full', violations: [{ message: 'full' }] });
    const many = { rows: 4096, cols: 4096, nnz: 4 * 2 ** 20 + 1, readRow: () => 0 };
    expect(await new Encodings(many, pace).summary(kilobytes, { size: 1 }, job)).toMatchObject({
      validated: 'cheap',
      violations: [{ message: 'cheap' }],
    });
  });
});
