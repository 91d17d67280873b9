import { expect, it } from 'vitest';
import { localSource } from '../../../../test/own-runner.ts';
import { CancelledError } from '../../../core/errors.ts';
import { defaultParams } from '../../../core/format.ts';
import { threadPace } from '../../../core/pace.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { generate, type GenerateSpec } from '../../../generate/generate.ts';
import { CsrMatrix } from '../../../core/matrix/index.ts';
import { OwnFormats } from '../../../own/own-formats.ts';
import type { OwnParams } from '../../../own/messages.ts';
import { STARTERS } from '../../../own/starters.ts';
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

it('hands out what the formats measure, matrix by matrix, refusals included', async () => {
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

it('asks about formats that people wrote where they run, and counts what they made', async () => {
  const source = await localSource('rows', STARTERS.find(({ id }) => id === 'csr')?.text ?? '');
  const own = new OwnFormats();
  const { format } = own.replaceFormat(
    { name: 'rows', text: source.text, description: source.description, of: null },
    null,
  );
  const entry = { format: format.id, params: {} };
  const taken: EncodedSize[] = [];
  const asked: number[] = [];
  const job = { report() {}, cancelled: false };
  const withOwn = { ...host, formats: [...formats, format], storeResult: own.storeResult.bind(own) };
  await measureSizes(
    withOwn,
    { ...request, entries: [...entries, entry] },
    job,
    (size) => void taken.push(size),
    async (id, params, cells) => {
      expect(id).toBe('mine:rows');
      asked.push(cells.indptr[cells.rows]);
      return { params: params as OwnParams, outcome: source.runOf(new CsrMatrix(cells), {}, false) };
    },
  );
  const mine = taken.filter((size) => size.format === 'mine:rows');
  expect(mine.map(({ nnz }) => nnz)).toEqual(asked);
  // Two bytes of value and of column, and four for each start.
  expect(mine.map(({ bytes }) => bytes)).toEqual(asked.map((nnz) => 4 * nnz + 4 * (64 + 1)));
});
