import { expect, it } from 'vitest';
import { testEngine } from '../../../../test/engine.ts';
import { CancelledError } from '../../../core/errors.ts';
import { defaultParams, resolvedParams } from '../../../core/format.ts';
import { threadPace } from '../../../core/pace.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { generate, type GenerateSpec } from '../../../generate/generate.ts';
import { type EncodedSize, measureSizes, type SizeHost, type SizesRequest } from './service.ts';

const SPEC: GenerateSpec = { pattern: 'uniform', rows: 64, cols: 96, density: 1, seed: 3 };
const host: SizeHost = { ...threadPace, formats, storeResult: () => {} };
const notCalled = () => Promise.reject(new Error('no format here runs elsewhere'));
const requestOf = (id: string): SizesRequest => ({
  matrices: [0.3, 0.5].map((density) => ({ ...SPEC, density })),
  format: id,
  params: defaultParams<Record<string, unknown>>(formatById(id).params),
});

/** The sizes that `measureSizes` returns until it is cancelled after `until` of them. */
async function run(request: SizesRequest, until = Infinity): Promise<readonly EncodedSize[]> {
  const sizes: EncodedSize[] = [];
  const job = {
    report() {},
    get cancelled() {
      return sizes.length >= until;
    },
  };
  try {
    await measureSizes(host, request, job, (size) => void sizes.push(size), notCalled);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
  }
  return sizes;
}

it.each(['dense', 'csr', 'slidesparse'])(
  'measureSizes returns the size of every matrix, or the reason why the format rejects it: %s',
  async (id) => {
    const request = requestOf(id);
    const sizes = await run(request);
    expect(sizes.map(({ matrix }) => matrix)).toEqual([0, 1]);
    for (const { matrix, bytes, rejection } of sizes) {
      const matrixOfSize = generate(request.matrices[matrix]);
      const format = formatById(id);
      const params = resolvedParams(format.params, request.params, matrixOfSize);
      const support = format.admits(matrixOfSize, params);
      expect(rejection).toBe(support.ok ? null : support.reason);
      expect(bytes).toBe(support.ok ? format.storage(format.encode(matrixOfSize, params)).totalBytes : null);
    }
  },
);

it('measureSizes keeps its results when it is cancelled', async () => {
  expect(await run(requestOf('csr'), 1)).toHaveLength(1);
});

it('measureSizes rejects a format that does not exist, with its name', async () => {
  await expect(run({ ...requestOf('csr'), format: 'nope' })).rejects.toThrow(/found 'nope', expected one of/);
});

it('lossless counts the exponents of the unpruned weights, and returns null once another matrix is open', async () => {
  const engine = testEngine();
  const source = {
    kind: 'generated',
    spec: { pattern: 'magnitude', rows: 64, cols: 64, density: 1, seed: 1 },
  } as const;
  const opened = await engine.matrix.open({}, source);
  const unpruned = await engine.compare.lossless({}, opened.baseNumber);
  expect(unpruned?.type).toBe('f16');
  expect(unpruned?.bits).toBeGreaterThan(12);
  const pruned = await engine.matrix.open(
    {},
    {
      kind: 'pruned',
      base: source,
      pruning: { way: 'rows', density: 0.5 },
    },
  );
  expect(await engine.compare.lossless({}, pruned.baseNumber)).toEqual(unpruned);
  expect(await engine.compare.lossless({}, pruned.baseNumber + 1)).toBeNull();
});
