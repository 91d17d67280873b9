import { readFileSync } from 'node:fs';
import type { AnyListedFormat } from '../../src/core/format.ts';
import type { BenchReport, BenchRow } from '../../src/core/report.ts';
import { formats, referenceFormat } from '../../src/formats/catalog.ts';
import { LARGE_MODELS } from '../../src/labs/language/place/speed/fields.ts';
import { pytorchOn } from '../../src/labs/language/place/speed/pytorch.ts';
import { matricesAt } from '../../src/labs/language/place/speed/shapes.ts';
import type { Device } from '../../src/state/devices/device.ts';
import { KNOWN_MODELS, type ModelShape } from '../../src/theory/models/model-shape.ts';
import { wholeTokens } from '../../src/theory/models/whole-tokens.ts';
import { recordedDevices } from '../recorded-questions.ts';
import type { NumberFact } from '../sentences.ts';

/* What can be asked about the speed of whole models, and the answers as the recordings and the sizes of models have them. */

export const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** In milliseconds with one decimal, as a time of a token is said. */
export const ms = (value: number): NumberFact => ({ value: 1e6 * value, unit: 'time', digits: 1 });

/** A matrix of a token: its shape, and how often a token meets it. */
export type Met = readonly [rows: number, cols: number, count: number];

/** The matrices of a Llama's token, written down from its sizes: those of the blocks, then the head. */
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
  for (const met of [...blocks, head]) {
    const its = reports.filter(isOfShape(met));
    const near = its.filter(({ workload }) => Math.abs(workload.density - density) < 0.004 * density);
    const first = near.find(
      (report) => timeIn(report, format, params) !== null || report.refused.some((one) => one.format === format),
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
    (one) =>
      one.device === device &&
      one.model === model &&
      one.format === format &&
      Object.entries(one.params as Params).every(([name, value]) => (params[name] ?? value) === value) &&
      Math.abs(one.density - density) < 0.004,
  );
  return found ? 1000 / found.tokensPerSecond : null;
}

export const [recorded] = recordedDevices;
/** Devices of which more and more is unknown, one that launches slowly, and one that was measured in software. */
export const DEVICES: readonly Device[] = [
  recorded,
  {
    ...recorded,
    reports: recorded.reports.map((one) => ({ ...one, environment: { ...one.environment, isFallback: true } })),
  },
  { ...recorded, roofs: recorded.roofs && { ...recorded.roofs, dispatchNs: 30_000 } },
  { ...recorded, name: 'A card', reports: [] },
  { ...recorded, name: 'A card', roofs: null, reports: [] },
];

/** What the page knows of a model, as its hook puts it together. */
export function knownOf(large: ModelShape, device: Device, format: AnyListedFormat, params: Params, left: number) {
  const isDense = format.id === referenceFormat.id;
  const stored = { format, params, fusion: 'separate', keepHead: true } as const;
  const look = {
    operation: 'spmv',
    tokens: 1,
    stored: { format: format.id, params },
    dense: { format: 'dense', params: DENSE },
    able: true,
    device: device.name,
  };
  const at = matricesAt(large, stored, left, device.reports, look);
  const of = (id: string, values: Params) =>
    wholeTokens({ model: large.name, format: id, params: values, device: device.name });
  return {
    large,
    left,
    format,
    isDense,
    device,
    at,
    measured: [],
    readGBps: device.roofs?.readGBps ?? null,
    pytorch: pytorchOn(device.name, large.name),
    whole: { dense: of('dense', DENSE), stored: isDense ? [] : of(format.id, params) },
  };
}

/** Every large model on every device in formats that were timed at its shapes, at densities that were timed and one that was not. */
export function* questions(): Generator<ReturnType<typeof knownOf> & { readonly params: Params }> {
  const ways: readonly (readonly [id: string, params: Params])[] = [
    ['dense', DENSE],
    ['macko', { deltaBits: 4, valueType: 'f16' }],
    ['dense', { valueType: 'i4' }],
    ['csr', { valueType: 'f16', indexBits: 16 }],
  ];
  for (const large of KNOWN_MODELS.filter(({ name }) => LARGE_MODELS.includes(name))) {
    for (const device of DEVICES) {
      for (const [id, params] of ways) {
        const format = formats.find((one) => one.id === id);
        if (!format) throw new Error(`found no format ${id}`);
        for (const left of [0.5, 0.3, 0.77]) yield { ...knownOf(large, device, format, params, left), params };
      }
    }
  }
}

/** The cells of a line of a table. */
export const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());
