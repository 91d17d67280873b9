import { readFileSync } from 'node:fs';
import { defaultParams } from '../src/core/format.ts';
import { formats } from '../src/formats/catalog.ts';
import { type StoredVariant, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import type { Device } from '../src/state/devices/device.ts';
import type { FormatParams } from '../src/state/index.ts';
import { expectedBytes } from '../src/theory/expected-bytes.ts';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import type { ModelShape } from '../src/theory/models/model-shape.ts';
import { recordedDevices } from './recorded-questions.ts';
import { bytes, number } from './text-rules.ts';

/* Figures of whole models from the recordings and the sizes of models, without the code that the page uses. */

export const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** A matrix of a token: its shape, and how often a token meets it. */
export type Met = readonly [rows: number, cols: number, count: number];

/** The matrices of a Llama's token, written down from its sizes: the matrices of the blocks, then the head. */
export function matricesOf({ hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary }: ModelShape): {
  readonly blocks: readonly Met[];
  readonly head: Met;
} {
  const [inQ, inK] = [heads * headDim, kvHeads * headDim];
  return {
    blocks: [
      [inQ, hidden, layers],
      [inK, hidden, 2 * layers],
      [hidden, inQ, layers],
      [intermediate, hidden, 2 * layers],
      [hidden, intermediate, layers],
    ],
    head: [vocabulary, hidden, 1],
  };
}

export type Params = Readonly<Record<string, unknown>>;
export const DENSE: Params = { valueType: 'f16' };

/** The time of a shape in a report: the fastest right kernel on the GPU. */
export function timeIn({ rows }: BenchReport, format: string, params: Params): number | null {
  const isIts = (row: BenchRow): boolean =>
    row.where === 'gpu' &&
    row.format === format &&
    row.verified.ok &&
    row.medianNs !== null &&
    Object.entries(params).every(([name, value]) => (row.params[name] ?? value) === value);
  const own = rows.filter((row) => !row.draft && isIts(row)).map(({ medianNs }) => medianNs ?? 0);
  return own.length === 0 ? null : Math.min(...own);
}

export const isOfShape =
  ([rows, cols]: Met) =>
  ({ workload, environment }: BenchReport): boolean =>
    !environment.isFallback &&
    workload.rows === rows &&
    workload.cols === cols &&
    workload.operation === 'spmv' &&
    workload.memory === 'cold' &&
    /^(?:uniform|n-of-m), /.test(workload.source);

/** Milliseconds of all matrices of a token in a recording, dense and in a format; null where one of them has no time. */
export function tokenOf(
  reports: readonly BenchReport[],
  model: ModelShape,
  format: string,
  params: Params,
  density: number,
) {
  const { blocks, head } = matricesOf(model);
  let [dense, stored]: (number | null)[] = [0, 0];
  const add = (sum: number | null, of: number | null, count: number): number | null =>
    sum === null || of === null ? null : sum + (of * count) / 1e6;
  // A layer has no head.
  for (const met of head[0] === 0 ? blocks : [...blocks, head]) {
    const its = reports.filter(isOfShape(met));
    const near = its.filter(({ workload }) => Math.abs(workload.density - density) < 0.004 * density);
    const first = near.find(
      (report) =>
        timeIn(report, format, params) !== null || report.refused.some((candidate) => candidate.format === format),
    );
    const own = met === head ? undefined : first;
    const withDense = [own, ...(met === head ? its : near), ...its].find(
      (report) => report && timeIn(report, 'dense', DENSE),
    );
    const denseNs = withDense ? timeIn(withDense, 'dense', DENSE) : null;
    dense = add(dense, denseNs, met[2]);
    stored = add(stored, met === head ? denseNs : first ? timeIn(first, format, params) : null, met[2]);
  }
  return { dense, stored };
}

/** Milliseconds of a whole token, as the file of recorded tokens has it; null where it has none. */
export function wholeOf(device: string, model: string, format: string, params: Params, density: number): number | null {
  const { tokens } = json('src/theory/models/recorded-tokens.json') as { tokens: readonly Record<string, never>[] };
  const found = tokens.find(
    (token) =>
      token.device === device &&
      token.model === model &&
      token.format === format &&
      Object.entries(token.params as Params).every(([name, value]) => (params[name] ?? value) === value) &&
      Math.abs(token.density - density) < 0.004,
  );
  return found ? 1000 / found.tokensPerSecond : null;
}

export const [recorded] = recordedDevices;

export const SHAPE = { rows: 4096, cols: 14_336 };
export const formatOf = (id: string) => formats.find((format) => format.id === id) ?? formats[0];
export const way = (id: string, changed: FormatParams = {}): StoredVariant => {
  const format = formatOf(id);
  return storedVariantOf(format, { ...defaultParams<FormatParams>(format.params), ...changed }, SHAPE);
};
export const F16 = way('dense');
export const I4 = way('dense', { valueType: 'i4' });
export const CSR = way('csr', { indexBits: 16 });
export const WAYS = [F16, way('macko'), CSR, I4, way('slidesparse'), way('ec-csr'), way('twell')];

/** The recorded device; the same without times; one that nobody knows anything of. */
export const DEVICES: readonly Device[] = [
  recorded,
  { ...recorded, name: 'A card', reports: [] },
  { ...recorded, name: 'Another', reports: [], roofs: null },
];

/** Bytes of a matrix in a way; null if only encoding determines them. */
export const bytesOf = (
  { format, stored: { params } }: StoredVariant,
  left: number,
  [rows, cols]: Met,
): number | null => expectedBytes({ format, params }, left, { rows, cols });

/** Bytes of a model: blocks as they are stored, head and embedding in f16, counted once if they are tied. */
export function sizeOf(model: ModelShape, one: StoredVariant, left: number): number {
  const { blocks, head } = matricesOf(model);
  const dense = 2 * head[0] * head[1] * (model.tied ? 1 : 2);
  return blocks.reduce((sum, met) => sum + met[2] * (bytesOf(one, left, met) ?? 0), dense);
}

/** What all matrices of a token take at least: reading their bytes. */
export function boundOf(model: ModelShape, one: StoredVariant, left: number, { roofs }: Device): number | null {
  if (!roofs) return null;
  const { blocks, head } = matricesOf(model);
  const inBlocks = blocks.reduce((sum, met) => sum + met[2] * (bytesOf(one, left, met) ?? 0), 0);
  return (inBlocks + 2 * head[0] * head[1]) / roofs.readGBps;
}

export const size = (value: number) => ({ ...bytes(value), digits: 1 });
export const perSecond = (value: number | null) => number(1e9 / (value ?? 1), 3);

export const nanoseconds = (ms: number | null): number | null => ms && 1e6 * ms;
