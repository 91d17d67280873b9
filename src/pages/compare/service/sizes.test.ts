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

async function run(request: SizesRequest, until = Infinity): Promise<readonly EncodedSize[]> {
  const taken: EncodedSize[] = [];
  const job = {
    report() {},
    get cancelled() {
      return taken.length >= until;
    },
  };
  try {
    await measureSizes(host, request, job, (size) => void taken.push(size), notCalled);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
  }
  return taken;
}

it.each(['dense', 'csr', 'slidesparse'])('returns the size of every matrix, refusals included: %s', async (id) => {
  const request = requestOf(id);
  const sizes = await run(request);
  expect(sizes.map(({ matrix }) => matrix)).toEqual([0, 1]);
  for (const { matrix, bytes, rejection } of sizes) {
    const m = generate(request.matrices[matrix]);
    const format = formatById(id);
    const params = resolvedParams(format.params, request.params, m);
    const support = format.admits(m, params);
    expect(rejection).toBe(support.ok ? null : support.reason);
    expect(bytes).toBe(support.ok ? format.storage(format.encode(m, params)).totalBytes : null);
  }
});

it('keeps its results when it is cancelled', async () => {
  expect(await run(requestOf('csr'), 1)).toHaveLength(1);
});

it('names a format that does not exist', async () => {
  await expect(run({ ...requestOf('csr'), format: 'nope' })).rejects.toThrow(/found 'nope', expected one of/);
});

it('counts the exponents of the unpruned weights, and those of no other matrix', async () => {
  const engine = testEngine();
  const source = {
    kind: 'generated',
    spec: { pattern: 'magnitude', rows: 64, cols: 64, density: 1, seed: 1 },
  } as const;
  const whole = await engine.matrix.open({}, source);
  const unpruned = await engine.compare.lossless({}, whole.baseNumber);
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
