import { expect, it } from 'vitest';
import { CancelledError } from '../../../core/errors.ts';
import { defaultParams } from '../../../core/format.ts';
import { threadPace } from '../../../core/pace.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { generate, type GenerateSpec } from '../../../generate/generate.ts';
import type { EncodedSize, SizesRequest } from './size-types.ts';
import { measureSizes, type SizeHost } from './service.ts';

const SPEC: GenerateSpec = { pattern: 'uniform', rows: 64, cols: 96, density: 1, seed: 3 };
const host: SizeHost = { ...threadPace, formats, storeResult: () => {} };
const unasked = () => Promise.reject(new Error('no format here runs elsewhere'));
const entries = ['dense', 'csr', 'slidesparse'].map((format) => ({
  format,
  params: defaultParams<Record<string, unknown>>(formatById(format).params),
}));

async function run(request: SizesRequest, until = Infinity): Promise<readonly EncodedSize[]> {
  const taken: EncodedSize[] = [];
  const job = {
    report() {},
    get cancelled() {
      return taken.length >= until;
    },
  };
  try {
    await measureSizes(host, request, job, (size) => void taken.push(size), unasked);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
  }
  return taken;
}

const request: SizesRequest = {
  matrices: [
    { ...SPEC, density: 0.3 },
    { ...SPEC, density: 0.5 },
  ],
  entries,
};

it('returns the size in every format, matrix by matrix, refusals included', async () => {
  const sizes = await run(request);
  const matrices = request.matrices.map((spec) => generate(spec));
  expect(sizes.map((s) => [s.matrix, s.format])).toEqual([0, 1].flatMap((i) => entries.map((e) => [i, e.format])));
  for (const { matrix, format: id, params, nnz, density, bytes, paddingBytes, refusal } of sizes) {
    const m = matrices[matrix];
    const format = formatById(id);
    expect(nnz).toBe(m.nnz);
    expect(density).toBe(m.nnz / (64 * 96));
    const admission = format.admits(m, params);
    expect(refusal).toBe(admission.ok ? null : admission.reason);
    const ledger = admission.ok ? format.storage(format.encode(m, params)) : null;
    expect([bytes, paddingBytes]).toEqual(ledger ? [ledger.totalBytes, ledger.totalBits.padding / 8] : [null, 0]);
  }
});

it('keeps its results when it is cancelled', async () => {
  const sizes = await run(request, 2);
  expect(sizes.length).toBeGreaterThanOrEqual(2);
  expect(sizes.length).toBeLessThan(6);
});

it('names a format that does not exist', async () => {
  await expect(run({ ...request, entries: [{ format: 'nope', params: {} }] })).rejects.toThrow(
    /found 'nope', expected one of/,
  );
});
