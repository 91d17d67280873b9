/*
 * The numbers in the texts of Watch, Compare and Measure: each is computed again here, from encoded arrays, from the rows of
 * a recording or from the sizes of a model. The texts themselves are snapshots next to each page.
 */

import { describe, expect, it } from 'vitest';
import { type AnyFormat, defaultParams, type EncodedMatrix, namedArrays } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { BenchReport } from '../src/core/report.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import { formats as registry } from '../src/formats/registry.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { measuredCrossover, publishedCrossover, crossoverWords } from '../src/kit/report/crossover-text.ts';
import { fastestRow, type FormatQuery, type TimedMatrix } from '../src/kit/report/matrix-times.ts';
import { matrixRows } from '../src/pages/compare/rows/matrix-rows.ts';
import { modelRows } from '../src/pages/compare/rows/model-rows.ts';
import { comparedVariants } from '../src/pages/compare/rows/stored-variants.ts';
import { measuredWords } from '../src/pages/measure/answer/answer-words.ts';
import { type MeasuredPair, measuredOf, timesWith } from '../src/pages/measure/answer/use-measured.ts';
import { answerOf } from '../src/pages/watch/answer/WatchAnswer.tsx';
import type { Device } from '../src/state/devices/device.ts';
import type { EncodingState, FormatParams, FormatChoice } from '../src/state/index.ts';
import { blockOf } from '../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../src/theory/models/known-models.ts';
import { AWKWARD_SHAPES, buildMatrix } from './arbitraries.ts';
import * as modelQuestions from './model-questions.ts';
import {
  answerOf as measuredPair,
  queryOf,
  timedMatrices,
  ratioOf,
  rowIn,
  timedVariants,
} from './recorded-questions.ts';
import { plainText } from './text-rules.ts';

const { recorded } = modelQuestions;
const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
/** Expects two numbers to be equal within a relative error of `share`, or both to be null. */
const expectSame = (found: number | null | undefined, expected: number | null, where: string, share = 1e-9): void =>
  expected === null
    ? expect(found ?? null, where).toBeNull()
    : expect(Math.abs((found ?? 0) - expected), `${where}: found ${found}, expected ${expected}`).toBeLessThanOrEqual(
        share * expected,
      );

/**
 * Bytes of padding that align the rows of dense to multiples of 16 bytes, which its stated size does not count. Rows of 4-bit
 * values have none, since they consist of whole groups.
 */
function alignmentBytes({ rows, cols }: Matrix, { format, params: { valueType } }: FormatChoice): number {
  const bytes = { f32: 4, f16: 2, bf16: 2, i8: 1 }[String(valueType)];
  if (format !== referenceFormat.id || bytes === undefined) return 0;
  // -n & 15 is the number of bytes from n to the next multiple of 16.
  return rows * (-(cols * bytes) & 15);
}

/**
 * Returns a function that encodes a matrix in a format, cached: the page's state of the encoding, and its bytes counted in
 * the arrays, null if the format rejects the matrix.
 */
function encoder(m: Matrix) {
  const states = new Map<string, { readonly state: EncodingState; readonly bytes: number | null }>();
  return (choice: FormatChoice) => {
    const key = JSON.stringify([choice.format, choice.params]);
    const cached = states.get(key);
    if (cached) return cached;
    const format = registry.find(({ id }) => id === choice.format) as unknown as AnyFormat;
    const support = format.admits(m, choice.params);
    const encoded: EncodedMatrix | null = support.ok ? format.encode(m, choice.params) : null;
    const arrayBytes =
      encoded && [...namedArrays(encoded).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const bytes = arrayBytes && arrayBytes - alignmentBytes(m, choice);
    const ledger = encoded && format.storage(encoded);
    const summary = {
      support,
      ledger,
      violations: [],
      encodeMs: 1,
      reason: null,
    } as unknown as EncodingSummary;
    const encoding = { state: { kind: 'ready', params: choice.params, summary } as const, bytes };
    states.set(key, encoding);
    return encoding;
  };
}

const recipe = { density: 0.2, values: 'small integers', seed: 1, storage: 'entries' } as const;
const MATRICES: readonly (readonly [title: string, matrix: Matrix])[] = [
  ...(Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[]).map(
    (pattern) => [pattern, buildMatrix({ ...recipe, shape: [24, 72], pattern })] as const,
  ),
  ...AWKWARD_SHAPES.map(
    (shape) => [shape.join(' x '), buildMatrix({ ...recipe, shape, pattern: 'one entry', density: 0 })] as const,
  ),
  // Large enough that its sizes, above a million bytes, are stated with units.
  ['large', buildMatrix({ ...recipe, shape: [600, 1600], pattern: 'uniform', density: 0.5 })],
];

it.each(MATRICES)('sizes and bounds of %s agree with its arrays', (_, m) => {
  const [cells, encodingFor] = [m.rows * m.cols, encoder(m)];
  const density = cells === 0 ? 0 : m.nnz / cells;
  const summary = { rows: m.rows, cols: m.cols, nnz: m.nnz, density, source: { kind: 'file' } } as never;
  const question: TimedMatrix = { ...(m as object as TimedMatrix), density, tokens: 1, names: [], isEven: false };
  const { readGBps = 0, dispatchNs = 0 } = recorded.roofs ?? {};
  for (const format of formats) {
    const choice = { format: format.id, params: params[format.id] };
    const { state, bytes } = encodingFor(choice);
    const watched = answerOf(summary, { name: format.title, format, stored: choice, encoding: state });
    expect(watched, format.id).toMatchObject({ name: format.title, bytes, isExpected: false });
    const bits = String(choice.params.valueType).startsWith('f32') ? 32 : 16;
    if (cells > 0) expectSame(watched?.effectiveDensity, bytes && (8 * bytes) / (cells * bits), format.id);
    for (const scale of [1, 1e-4]) {
      const roofs = { readGBps: readGBps * scale, dispatchNs, peakGMAps: {} };
      const device: Device = { ...recorded, kind: 'published', reports: [], roofs };
      const query = { ...choice, spec: format.params };
      const times = timesWith(question, query, null)(device);
      const input = { formats, summary, matrix: question, device, times, queryA: query, queryB: null };
      const [side] = measuredOf({ ...input, encodingOf: () => state }).sides;
      expect([side.matrixBytes, side.isCounted, side.rejection === null]).toEqual([
        bytes,
        bytes !== null,
        bytes !== null,
      ]);
      // Bytes besides the matrix: outputs in f32, and f16 inputs of at least as many columns as the average row has non-zeros.
      const vectorBytes = 4 * m.rows + 2 * Math.min(m.cols, Math.ceil(m.nnz / Math.max(1, m.rows)));
      const ns = bytes === null ? null : Math.max(dispatchNs, (bytes + vectorBytes) / roofs.readGBps);
      expectSame(side.bound?.ns, ns, `${format.id}, at least`);
      if (side.bound) expect(side.bound.cause).toBe(ns === dispatchNs ? 'dispatch' : 'bytes');
    }
  }
  const withoutMeasurements = {
    verdictOf: () => null,
    bestOf: () => null,
    measurements: new Map(),
    verifications: new Map(),
    examples: [],
  };
  const encodingOf = (choice: FormatChoice) => encodingFor(choice).state;
  const variants = comparedVariants(formats, params, [], m);
  for (const row of matrixRows({
    ...withoutMeasurements,
    variants,
    summary,
    encodingOf,
    readGBps,
    dispatchNs,
    tokens: 1,
  })) {
    const { bytes } = encodingFor(row.stored);
    const state = bytes === null ? 'refused' : 'known';
    expect(row, row.key).toMatchObject({ bytes, state, isExpected: false });
  }
});

const inSoftware = (report: BenchReport): BenchReport => ({
  ...report,
  environment: { ...report.environment, isFallback: true },
});
/** Whether a report is of this workload, with the density to 0.4 %. */
const isOfWorkload = (report: BenchReport, { rows, cols, density, tokens }: TimedMatrix): boolean =>
  report.workload.rows === rows &&
  report.workload.cols === cols &&
  report.workload.operation === (tokens === 1 ? 'spmv' : 'gemm') &&
  (report.workload.sizes?.tokens ?? 1) === tokens &&
  Math.abs(report.workload.density - density) < 0.004 * density;

it('times of A and B are of one report if one has both, and their ratio is the ratio of its rounds', () => {
  const pairCounts = { sameReport: 0, otherReports: 0 };
  for (const question of timedMatrices(recorded)) {
    const variants = timedVariants(recorded.reports, question);
    for (const [i, a] of variants.entries()) {
      const b = variants[(i + 1) % variants.length];
      const answer = measuredPair(question, recorded, a, b);
      const [timedA, timedB] = answer.sides.map(({ timedRow }) => timedRow);
      if (!timedA || !timedB) continue;
      const where = `${question.rows} x ${question.cols}, ${question.density}, ${a.key}, ${b.key}`;
      const reportsOfBoth = recorded.reports.filter(
        (report) => isOfWorkload(report, question) && rowIn(report, a) && rowIn(report, b),
      );
      const isSameReport = reportsOfBoth.some(
        (report) => rowIn(report, a) === timedA.row && rowIn(report, b) === timedB.row,
      );
      expect(isSameReport, where).toBe(reportsOfBoth.length > 0);
      pairCounts[isSameReport ? 'sameReport' : 'otherReports']++;
      const [nsA, nsB] = [timedA.row.medianNs ?? 1, timedB.row.medianNs ?? 0];
      // The ratio is that of the times as they are printed, with three digits.
      const [printedA, printedB] = [nsA, nsB].map((ns) => Number(ns.toPrecision(3)));
      expectSame(answer.speed?.ratio, printedB / printedA, where);
      if (isSameReport && answer.speed?.rounds)
        expectSame(answer.speed.rounds.ratio, ratioOf(timedA.row, timedB.row), where, 0.005);
      // The text marks times of another run.
      const text = plainText(measuredWords(answer, { ...recorded, kind: 'this' }, null));
      expect(text.includes(', in another run: '), text).toBe(!isSameReport);
      expect(text).toMatch(/^On this GPU, /);
      // A format with only a scalar kernel is marked. No recorded format is, so this pair is constructed.
      const [side, otherSide] = answer.sides;
      const row = { ...timedA.row, kernel: 'ell/spmv_scalar' };
      const format = formats.find(({ id }) => id === 'ell') ?? referenceFormat;
      const scalarPair = {
        ...answer,
        sides: [{ ...side, format, timedRow: { ...timedA, row } }, otherSide] as const,
      } as MeasuredPair;
      const texts = [answer, scalarPair].map((pair) => plainText(measuredWords(pair, recorded, null)));
      expect(texts.map((message) => message.includes(`${side.name} (one simple kernel) multiplies`))).toEqual([
        false,
        true,
      ]);
    }
  }
  expect(pairCounts.sameReport).toBeGreaterThan(30);
  expect(pairCounts.otherReports).toBeGreaterThan(5);
});

describe('the density from which on a format is faster', () => {
  const dense = (valueType: string): FormatQuery => ({
    format: referenceFormat.id,
    params: { valueType },
    spec: referenceFormat.params,
  });
  const defaultQuery = (id: string): FormatQuery => {
    const format = formats.find((candidate) => candidate.id === id) ?? referenceFormat;
    return { format: id, params: params[id], spec: format.params };
  };
  const timeIn = (report: BenchReport, query: FormatQuery): number =>
    fastestRow(report, query)?.row.medianNs ?? Number.NaN;
  const denseF16 = { query: dense('f16'), name: 'dense f16' };

  it('lies between two measurements, and names quantised dense if that is faster', () => {
    const sentences: string[] = [];
    for (const question of timedMatrices(recorded).filter(({ isEven }) => !isEven)) {
      for (const id of ['macko', 'csr', 'bitmask']) {
        const a = defaultQuery(id);
        const facts = measuredCrossover(question, recorded, recorded.name, { query: a, name: id }, denseF16);
        if (facts === null) continue;
        const where = `${question.rows} x ${question.cols}, ${question.tokens} tokens, ${question.density}: ${id}`;
        const reports = recorded.reports.filter(
          (report) =>
            isOfWorkload(report, { ...question, density: report.workload.density }) &&
            report.workload.memory === 'cold' &&
            report.workload.source.startsWith('uniform, '),
        );
        const ratios = reports
          .map((report) => ({
            density: report.workload.density,
            ratio: timeIn(report, dense('f16')) / timeIn(report, a),
          }))
          .filter(({ ratio }) => Number.isFinite(ratio));
        const { densities: crossings, startsAhead, between } = facts.crossover;
        for (const crossing of crossings) {
          expect(Math.min(...ratios.map(({ density }) => density)), where).toBeLessThan(crossing);
          expect(Math.max(...ratios.map(({ density }) => density)), where).toBeGreaterThan(crossing);
        }
        if (crossings.length !== 1 || !startsAhead || between !== null) continue;
        // Near the crossing, medians of two runs may disagree.
        for (const { density, ratio } of ratios.filter((point) => Math.abs(point.density - crossings[0]) > 0.06))
          expect(ratio > 1, `${where} at ${density}`).toBe(density < crossings[0]);
        const report = reports.find((candidate) => isOfWorkload(candidate, question));
        const fasterDense = ['i4', 'i8'].filter((type) => report && timeIn(report, dense(type)) < timeIn(report, a));
        if (!report || fasterDense.length === 0) continue;
        expect([facts.fewerBits, facts.shareLeft], where).toEqual([fasterDense, question.density]);
        expect(facts.isAhead, where).toBe(timeIn(report, a) < timeIn(report, dense('f16')));
        sentences.push(plainText(crossoverWords(facts)).replaceAll('\u202f', ' '));
      }
    }
    expect(sentences.length).toBeGreaterThan(3);
    expect(new Set(sentences)).toContain(
      'macko is faster than dense f16 below 72 % density. But at 50 %, dense i4 and i8 are even faster.',
    );
    const software: Device = { ...recorded, reports: recorded.reports.map(inSoftware) };
    const macko = { query: defaultQuery('macko'), name: 'MACKO' };
    const crossoverCount = (device: Device) =>
      timedMatrices(recorded).filter((question) => measuredCrossover(question, device, 'it', macko, denseF16) !== null)
        .length;
    expect(crossoverCount(recorded)).toBeGreaterThan(0);
    expect(crossoverCount(software)).toBe(0);
  });

  it('is the published one without measurements, with what the publication did not compare', async () => {
    const macko = formats.find(({ id }) => id === 'macko');
    const published = ((await macko?.published?.()) ?? []).map((figures) => ({ format: 'macko', figures }));
    const [question] = timedMatrices(recorded).filter(({ tokens }) => tokens === 1);
    const card = { ...recorded, id: 'rtx-4090', name: 'GeForce RTX 4090', kind: 'published', reports: [] } as const;
    const a = { query: defaultQuery('macko'), name: 'MACKO' };
    const facts = publishedCrossover(question, card, a, denseF16, published);
    // Published: 1.01 times as fast at 70 % density, 0.89 times at 80 %.
    expect(facts && plainText(crossoverWords(facts)).replaceAll('\u202f', ' ')).toBe(
      'Published for RTX 4090: MACKO is faster than dense f16 below 71 % density; dense i4 and i8 were not compared there.',
    );
    expect(publishedCrossover(question, { ...card, id: 'h100' }, a, denseF16, published)).toBeNull();
    expect(publishedCrossover({ ...question, tokens: 8 }, card, a, denseF16, published)).toBeNull();
    expect(publishedCrossover(question, card, denseF16, a, published)).toBeNull();
    expect(publishedCrossover(question, card, a, { query: dense('i8'), name: 'dense i8' }, published)).toBeNull();
  });
});

/** Models (separate and tied output heads), each as a whole and as one layer. */
const MODELS = KNOWN_MODELS.filter(({ gated, positions, experts }) => gated && positions === 0 && !experts).flatMap(
  (model) => [false, true].map((isLayer) => ({ model: isLayer ? blockOf(model) : model, isLayer })),
);

it.each(MODELS)('$model.name, a layer: $isLayer, has its bytes and times from its matrices', ({ model, isLayer }) => {
  // Made-up reports of products with 8 tokens, with the times of one token.
  const promptReports = recorded.reports
    .filter(({ workload }) => workload.operation === 'spmv')
    .map((report) => ({
      ...report,
      workload: { ...report.workload, operation: 'gemm' as const, sizes: { tokens: 8 } },
    }));
  const tokenQuestions = modelQuestions.DEVICES.flatMap((device) =>
    [0.5, 0.3, 0.9].map((density) => ({ device, density, tokens: 1 })),
  );
  for (const { device, density, tokens } of [
    ...tokenQuestions,
    { device: { ...recorded, reports: promptReports }, density: 0.5, tokens: 8 },
  ]) {
    const { roofs, name } = device;
    const rows = modelRows({
      variants: modelQuestions.VARIANTS,
      summary: { ...modelQuestions.SHAPE, source: { kind: 'model', model: 'x' } } as unknown as MatrixSummary,
      examples: [],
      model,
      fusion: 'separate',
      keepHead: true,
      density,
      placement: 'independent',
      tokens,
      reference: modelQuestions.F16,
      smallest: modelQuestions.I4,
      reports: device.reports,
      device: name,
      deviceSpeed: roofs && { ...roofs, from: 'measured' },
      measuredHere: [],
      sampled: new Map(),
    });
    for (const row of rows) {
      const { id, kernels } = row.format;
      const { params: rowParams } = row.stored;
      const where = `${name}, ${density} left, ${tokens} tokens: ${row.key}`;
      // SlideSparse 6:8 supports at most 75 % density.
      const isRefused = id === 'twell' || (id === 'slidesparse' && density > 0.75);
      const state = isRefused ? 'refused' : id === 'ec-csr' ? 'open' : 'known';
      expect(row.state, where).toBe(state);
      // The whole prefill of the 1.5B model was measured: docs/whole-prefill.
      const isTimed = id === 'twell' && row.gain?.measured.model === 'TwELL 1.5B';
      if (isTimed) expectSame(row.gain?.measured.gain, 210.14 / 141.05, where, 1e-4);
      else expect(row.gain ?? null, where).toBeNull();
      if (state !== 'known') continue;
      expectSame(row.bytes, modelQuestions.sizeOf(model, row, density), where);
      const isPrompt = tokens > 1;
      const reports = isPrompt ? recorded.reports : device.reports;
      const computes = !isPrompt || kernels.some(({ operation }) => operation === 'gemm');
      const { stored: storedTime } = modelQuestions.tokenOf(reports, model, id, rowParams, density);
      expectSame(row.measuredNs, computes ? modelQuestions.nanoseconds(storedTime) : null, where);
      const wholeToken = modelQuestions.wholeOf(name, model.name, id, rowParams, id === 'dense' ? 1 : density);
      expectSame(row.tokenNs, isLayer || isPrompt ? null : modelQuestions.nanoseconds(wholeToken), where);
      expectSame(row.minNs, isPrompt ? null : modelQuestions.boundOf(model, row, density, device), where);
    }
  }
});

it('Measure names one matrix of a model, and marks times of a random matrix', () => {
  // One matrix of a model whose other weights are not loaded.
  const location = { model: 'Llama-3.1-8B', layer: 16, matrix: 'down_proj', matrices: 225, inLayer: 7 };
  const source = { kind: 'model', model: 'llama-3.1-8b' } as const;
  const question = { ...modelQuestions.SHAPE, density: 0.5, nnz: 29_360_128, tokens: 1, names: [], isEstimated: false };
  const [a, b] = [modelQuestions.variantOf('macko'), modelQuestions.F16].map(queryOf);
  for (const [matrixSource, matrixLocation, name] of [
    [source, location, 'down_proj of layer 16'],
    [{ ...source, layer: 16 }, { ...location, matrix: 'gate_proj' }, 'gate_proj of layer 16'],
    [source, { ...location, layer: null, matrix: 'lm_head' }, 'lm_head'],
    [{ ...source, layer: 16, matrix: 'down' }, location, 'this matrix'],
    [{ kind: 'example', id: 'arrow' }, undefined, 'a random matrix of this size and density'],
  ] as const) {
    const textFor = (change: object): string => {
      const summary = {
        ...question,
        source: matrixSource,
        location: matrixLocation && { ...matrixLocation, ...change },
      } as unknown as MatrixSummary;
      const times = timesWith({ ...question, isEven: false }, a, b)(recorded);
      const input = { formats, summary, matrix: { ...question, isEven: false }, device: recorded, times };
      const answer = measuredOf({ ...input, encodingOf: () => undefined, queryA: a, queryB: b });
      return plainText(measuredWords(answer, recorded, null));
    };
    // Random weights may be named like the matrix that was timed; weights that come with the page differ from it.
    expect(textFor({})).toContain(`MACKO multiplies ${name} in `);
    expect(textFor({ isShipped: true })).toContain('MACKO multiplies a random matrix of this size and density in ');
  }
});
