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

/* Computes the bytes and times of whole models from recordings and model sizes, without the page's code, to compare with its texts. */

export const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** A weight matrix with the number of times that computing one token multiplies by it. */
export type TokenMatrix = readonly [rows: number, cols: number, count: number];

/** The matrices by which a Llama model multiplies for each token: those of the blocks, and the output head. */
export function matricesOf({ hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary }: ModelShape): {
  readonly blocks: readonly TokenMatrix[];
  readonly head: TokenMatrix;
} {
  const [queryWidth, keyWidth] = [heads * headDim, kvHeads * headDim];
  return {
    blocks: [
      [queryWidth, hidden, layers],
      [keyWidth, hidden, 2 * layers],
      [hidden, queryWidth, layers],
      [intermediate, hidden, 2 * layers],
      [hidden, intermediate, layers],
    ],
    head: [vocabulary, hidden, 1],
  };
}

export type Params = Readonly<Record<string, unknown>>;
export const DENSE: Params = { valueType: 'f16' };

/** The time of the fastest correct GPU kernel of a format in a report, in ns; null without one. */
export function timeIn({ rows }: BenchReport, format: string, params: Params): number | null {
  const isOfFormat = (row: BenchRow): boolean =>
    row.where === 'gpu' &&
    row.format === format &&
    row.verified.ok &&
    row.medianNs !== null &&
    Object.entries(params).every(([name, value]) => (row.params[name] ?? value) === value);
  const times = rows.filter((row) => !row.draft && isOfFormat(row)).map(({ medianNs }) => medianNs ?? 0);
  return times.length === 0 ? null : Math.min(...times);
}

export const isOfShape =
  ([rows, cols]: TokenMatrix) =>
  ({ workload, environment }: BenchReport): boolean =>
    !environment.isFallback &&
    workload.rows === rows &&
    workload.cols === cols &&
    workload.operation === 'spmv' &&
    workload.memory === 'cold' &&
    /^(?:uniform|n-of-m), /.test(workload.source);

/**
 * Milliseconds of all products of a token, from the reports of a recording: in dense and in a format. Null if a matrix was not
 * timed. The output head is not pruned, so it is timed in dense.
 */
export function tokenOf(
  reports: readonly BenchReport[],
  model: ModelShape,
  format: string,
  params: Params,
  density: number,
) {
  const { blocks, head } = matricesOf(model);
  let [dense, stored]: (number | null)[] = [0, 0];
  const add = (sum: number | null, ns: number | null, count: number): number | null =>
    sum === null || ns === null ? null : sum + (ns * count) / 1e6;
  // A layer has no head.
  for (const matrix of head[0] === 0 ? blocks : [...blocks, head]) {
    const ofShape = reports.filter(isOfShape(matrix));
    const ofDensity = ofShape.filter(({ workload }) => Math.abs(workload.density - density) < 0.004 * density);
    const first = ofDensity.find(
      (report) =>
        timeIn(report, format, params) !== null || report.refused.some((candidate) => candidate.format === format),
    );
    // Preferably dense is timed in the report of the format, so that both are of one run.
    const preferred = matrix === head ? undefined : first;
    const withDense = [preferred, ...(matrix === head ? ofShape : ofDensity), ...ofShape].find(
      (report) => report && timeIn(report, 'dense', DENSE),
    );
    const denseNs = withDense ? timeIn(withDense, 'dense', DENSE) : null;
    dense = add(dense, denseNs, matrix[2]);
    stored = add(stored, matrix === head ? denseNs : first ? timeIn(first, format, params) : null, matrix[2]);
  }
  return { dense, stored };
}

/** Milliseconds of a whole token from the file of recorded tokens; null if it was not recorded. */
export function wholeOf(device: string, model: string, format: string, params: Params, density: number): number | null {
  const { tokens } = json('src/theory/models/recorded-tokens.json') as { tokens: readonly Record<string, never>[] };
  const recordedToken = tokens.find(
    (token) =>
      token.device === device &&
      token.model === model &&
      token.format === format &&
      Object.entries(token.params as Params).every(([name, value]) => (params[name] ?? value) === value) &&
      Math.abs(token.density - density) < 0.004,
  );
  return recordedToken ? 1000 / recordedToken.tokensPerSecond : null;
}

export const [recorded] = recordedDevices;

export const SHAPE = { rows: 4096, cols: 14_336 };
export const formatOf = (id: string) => formats.find((format) => format.id === id) ?? formats[0];
export const variantOf = (id: string, changed: FormatParams = {}): StoredVariant => {
  const format = formatOf(id);
  return storedVariantOf(format, { ...defaultParams<FormatParams>(format.params), ...changed }, SHAPE);
};
export const F16 = variantOf('dense');
export const I4 = variantOf('dense', { valueType: 'i4' });
export const CSR = variantOf('csr', { indexBits: 16 });
export const VARIANTS = [
  F16,
  variantOf('macko'),
  CSR,
  I4,
  variantOf('slidesparse'),
  variantOf('ec-csr'),
  variantOf('twell'),
];

/** The recorded device; the same without times; and a device of which nothing is known. */
export const DEVICES: readonly Device[] = [
  recorded,
  { ...recorded, name: 'A card', reports: [] },
  { ...recorded, name: 'Another', reports: [], roofs: null },
];

/** Bytes of a matrix in a format with parameters, at a density; null if only encoding determines them. */
export const bytesOf = (
  { format, stored: { params } }: StoredVariant,
  left: number,
  [rows, cols]: TokenMatrix,
): number | null => expectedBytes({ format, params }, left, { rows, cols });

/** Bytes of a model: blocks in the format; head and embedding in f16, counted once if they are tied. */
export function sizeOf(model: ModelShape, variant: StoredVariant, left: number): number {
  const { blocks, head } = matricesOf(model);
  const dense = 2 * head[0] * head[1] * (model.tied ? 1 : 2);
  return blocks.reduce((sum, matrix) => sum + matrix[2] * (bytesOf(variant, left, matrix) ?? 0), dense);
}

/** Lower bound of the time of all products of a token, in ns: reading the bytes of their matrices. */
export function boundOf(model: ModelShape, variant: StoredVariant, left: number, { roofs }: Device): number | null {
  if (!roofs) return null;
  const { blocks, head } = matricesOf(model);
  const blockBytes = blocks.reduce((sum, matrix) => sum + matrix[2] * (bytesOf(variant, left, matrix) ?? 0), 0);
  return (blockBytes + 2 * head[0] * head[1]) / roofs.readGBps;
}

export const size = (value: number) => ({ ...bytes(value), digits: 1 });
export const perSecond = (value: number | null) => number(1e9 / (value ?? 1), 3);

export const nanoseconds = (ms: number | null): number | null => ms && 1e6 * ms;
