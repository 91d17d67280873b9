import { sizeOf } from '../../core/encoded/ledger.ts';
import { describe, expect, it } from 'vitest';
import { defaultParams, encodesSlowly } from '../../core/format.ts';
import { namedArrays } from '../../core/encoded/encoded.ts';
import { type Progress, finish } from '../../core/job.ts';
import { CancelledError } from '../../core/errors.ts';
import { csrMatrix, denseMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { statisticsSteps } from '../../core/statistics/matrix-statistics.ts';
import { formatById, formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { combinations, findBest, statisticsRequest, verdictOf } from './format-verdicts.ts';
import { Encodings } from './encodings.ts';
import { ServiceJob } from '../bridge/service-job.ts';
import { ignore, testEngine } from '../../../test/engine.ts';

const pace = { now: () => performance.now(), pause: async () => {} };
const job = (): ServiceJob => new ServiceJob(pace, ignore);
const statisticsOf = (m: Matrix) => finish(statisticsSteps(m, statisticsRequest(formats)));

const uniform = (rows: number, cols: number, density: number): Matrix =>
  generate({ pattern: 'uniform', rows, cols, density, seed: 5 });

/** The least bytes of all combinations that support the matrix, by encoding each. */
function minByEncoding(id: string, m: Matrix): number {
  const format = formatById(id);
  const params = { ...defaultParams<object>(format.params) };
  const sizes = combinations(format, params)
    .filter((combination) => format.admits(m, combination).ok)
    .map((combination) => sizeOf(format.storage(format.encode(m, combination))));
  return sizes.reduce((min, bytes) => Math.min(min, bytes), Number.POSITIVE_INFINITY);
}

describe('findBest', () => {
  /** ids of the formats whose size has a closed form */
  const idsWithClosedForm = formats.filter(({ comparison }) => comparison.candidates === undefined).map(({ id }) => id);

  it.each(idsWithClosedForm)(
    'returns for %s the parameters with the least bytes among all that were encoded',
    async (id) => {
      for (const m of [uniform(24, 300, 0.5), uniform(24, 300, 0.1), uniform(40, 256, 0.01)]) {
        const format = formatById(id);
        const params = { ...defaultParams<object>(format.params) };
        const found = await findBest(format, m, statisticsOf(m), params, job(), new Encodings(m, pace));
        const min = minByEncoding(id, m);
        expect(found?.bytes ?? Number.POSITIVE_INFINITY).toBe(min);
        expect(verdictOf(format, statisticsOf(m), params, {}).best?.bytes ?? Number.POSITIVE_INFINITY).toBe(min);
        if (found) expect(found.tried).toBe(1);
      }
    },
  );

  it('returns parameters with fewer bytes than the current ones, for a format whose size only encoding shows', async () => {
    const format = formatById('ec-csr');
    const m = uniform(24, 200, 0.3);
    const params = { ...defaultParams<object>(format.params) };
    const found = await findBest(format, m, statisticsOf(m), params, job(), new Encodings(m, pace));
    const currentBytes = sizeOf(format.storage(format.encode(m, params)));
    expect(found?.bytes).toBeLessThan(currentBytes);
    expect(found?.tried).toBeGreaterThan(3);
    expect(sizeOf(format.storage(format.encode(m, found?.params)))).toBe(found?.bytes);
  });
});

describe('the method compare of the matrix service', () => {
  const open = async (spec: { rows: number; cols: number; density: number }, now = () => performance.now()) => {
    const engine = testEngine({ now });
    await engine.matrix.open({}, { kind: 'generated', spec: { pattern: 'uniform', seed: 3, ...spec } });
    return engine;
  };
  const entries = Object.fromEntries(formats.map(({ id }) => [id, {}]));

  it('returns an explanation and a size for every format, and encoding results in the same size', async () => {
    const engine = await open({ rows: 64, cols: 128, density: 0.3 });
    const { verdicts, statistics } = await engine.matrix.compare({}, entries);
    expect(statistics.gaps.reduce((sum, n) => sum + n, 0)).toBe(statistics.nnz);
    for (const { id } of formats) {
      const { support, ledger } = await engine.matrix.encode({}, id, {});
      const { size, why } = verdicts[id];
      expect(support.ok, id).toBe(size !== 'refused');
      if (typeof size === 'number') expect(ledger && sizeOf(ledger), id).toBe(size);
      expect(why, id).toMatch(/\.$/);
    }
    // Now that the matrix is encoded, the reason contains counts of that encoding.
    const later = await engine.matrix.compare({}, entries);
    expect(later.verdicts['ec-csr'].why).not.toBe(verdicts['ec-csr'].why);
    expect(await engine.matrix.bestParams({}, 'csr', {})).toMatchObject({
      best: { params: { indexBits: 16 }, tried: 1 },
    });
  });

  it('pauses encoding while it reads the matrix', async () => {
    // A clock that advances at every reading: by the real clock, a fast machine would read without a pause.
    let ms = 0;
    const engine = await open({ rows: 2000, cols: 1000, density: 0.4 }, () => (ms += 25));
    const order: string[] = [];
    const encoding = engine.matrix.encode({ onProgress: () => void order.push('encode') }, 'macko', {});
    const comparing = engine.matrix
      .compare({ onProgress: () => void order.push('read') }, entries)
      .then(() => order.push('read all'));
    await Promise.all([encoding, comparing]);
    const duringReading = order.slice(order.indexOf('read'), order.indexOf('read all'));
    // Work that had begun continues to its next pause, and again before the observer is notified of the end.
    expect(duringReading.filter((what) => what === 'encode').length).toBeLessThanOrEqual(2);
    expect(duringReading.filter((what) => what === 'read').length).toBeGreaterThan(2);
  });

  it('reports progress, and stops when it is cancelled', async () => {
    const engine = await open({ rows: 3000, cols: 1000, density: 0.4 });
    const seen: string[] = [];
    const abort = new AbortController();
    const onProgress = ({ what }: Progress): void => {
      seen.push(what);
      abort.abort();
    };
    const comparing = engine.matrix.compare({ signal: abort.signal, onProgress }, entries);
    await expect(comparing).rejects.toThrow(CancelledError);
    expect(seen).toContain('reading the matrix');
  });
});

describe('Encodings', () => {
  /** 12 MB of cells, and encodings of about half as much. */
  const random = new Random(1);
  const dense = denseMatrix(
    1500,
    2000,
    Float32Array.from({ length: 3e6 }, () => (random.uniform() < 0.5 ? 1 : 0)),
  );

  it('keeps at most 12 MB of cached encodings, and at most 24 MB with the encoding in progress', async () => {
    for (const m of [dense, csrMatrix(toCsr(dense))]) {
      const encodings = new Encodings(m, pace, 12e6);
      let max = 0;
      for (const format of formats) {
        const params = { ...defaultParams<object>(format.params) };
        if (!format.admits(m, params).ok || encodesSlowly(format)) continue;
        let cachedBytes = 0;
        const watched = {
          report: () => (cachedBytes = Math.max(cachedBytes, encodings.cachedBytes)),
          cancelled: false,
        };
        const { encoded } = await encodings.encoding(format, params, watched);
        let bytes = 0;
        for (const array of namedArrays(encoded).values()) bytes += array.byteLength;
        max = Math.max(max, encodings.cachedBytes, cachedBytes + bytes);
      }
      expect(max).toBeGreaterThan(0);
      expect(max).toBeLessThan(24e6);
    }
  });

  it('reports too little memory on the machine before it encodes anything', async () => {
    const encodings = new Encodings(dense, pace, undefined, { deviceBytes: 13e6 });
    const { support } = await encodings.summary(formatById('csr'), { valueType: 'f16', indexBits: 32 }, job());
    expect(support).toEqual({
      ok: false,
      reason: 'memory: found 0.013 GB on this machine, expected 0.021 GB for the matrix and its encoding',
      remedy: 'Choose a part of the matrix.',
    });
  });
});
