import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../../formats/registry.ts';
import { defaultDocument } from '../../../../state/index.ts';
import { CATALOG } from '../../../../../test/fake-engine.ts';
import { modelReport } from '../../../../../test/model-reports.ts';
import { type CurveChoices, FORMS_FIELDS } from '../../curves/curve-choices.ts';
import { densitySentence } from './density-sentence.ts';
import { comingDots, fastestAlong, measuredSpeeds, speedAt, speedsOf } from '../../curves/measured-speeds.ts';
import { type EncodedSize, interpolatedBytes, ranking } from '../../curves/ranking.ts';
import { quantisedLines } from '../../curves/references.ts';
import { densitiesOf, evenPattern, matrixOf, sizeRequests, speedRequest } from '../../curves/run-requests.ts';
import { type FormatCurves, sampleFormat } from '../../curves/size-curves.ts';
import { denseBytes, expectedBytes, type SizeQuestion, variantsOf } from '../../curves/variants.ts';
import { NOT_OF_A_GPU, ON_CPU } from '../../../../kit/words/speed-of.ts';
import { roughDensity } from '../../../../kit/words/shares.ts';

const { params } = defaultDocument({ ...CATALOG, formats });
const QUESTION: SizeQuestion = { rows: 256, cols: 1024, valueType: 'f16', placement: 'independent' };
const DEFAULTS = Object.fromEntries(
  Object.entries(FORMS_FIELDS).map(([name, field]) => [name, field.default]),
) as unknown as CurveChoices;
const CHOICES: CurveChoices = { ...DEFAULTS, matrix: 'generated', rows: 4096, cols: 11_008, at: 0.3, way: 'random' };

const dense = formats.find((f) => f.id === 'dense') ?? formats[0];

const textOf = (words: ReturnType<typeof densitySentence>): string => words.map((w) => w.text).join('');
const stretch = (winner: string, from: number, to: number) => ({ winner, from, to });

describe('the sentence', () => {
  const smallest = [
    stretch('CSR', 1e-4, 0.005),
    stretch('MACKO', 0.005, 0.23),
    stretch('bitmask', 0.23, 0.94),
    stretch('dense', 0.94, 1),
  ];
  const parts = {
    smallest,
    fastest: [],
    reference: 'dense',
    titles: ['dense', 'CSR', 'MACKO', 'bitmask', 'ELL'],
    on: 'this GPU',
    caution: null,
  };
  it('says who is smallest where, and who never is', () => {
    expect(textOf(densitySentence(parts))).toBe(
      'The smallest is bitmask from density 0.94 down to 0.23, MACKO down to 0.005 and CSR below; above 0.94, nothing is smaller than dense. ELL is never the smallest.',
    );
  });
  it('begins with which is fastest where that was measured, and says that a CPU is no GPU', () => {
    const fastest = [stretch('MACKO', 0.05, 0.67), stretch('dense', 0.67, 0.9)];
    expect(textOf(densitySentence({ ...parts, fastest }))).toMatch(
      /^On this GPU, MACKO is the fastest below density 0\.67; above that, nothing beats dense\. The smallest is bitmask/,
    );
    expect(textOf(densitySentence({ ...parts, fastest: [stretch('dense', 0.05, 0.9)] }))).toMatch(
      /^On this GPU, nothing beats dense\. /,
    );
    expect(textOf(densitySentence({ ...parts, fastest, on: ON_CPU, caution: NOT_OF_A_GPU }))).toMatch(
      /^On one thread of the CPU, in TypeScript, MACKO is the fastest below .* nothing beats dense\. This says nothing about a GPU\. The smallest/,
    );
  });
  it('says where measuring ended, if a format is ahead there', () => {
    expect(textOf(densitySentence({ ...parts, fastest: [stretch('MACKO', 0.1, 0.5)] }))).toMatch(
      /^On this GPU, MACKO is the fastest up to density 0\.50?, the highest measured\. The smallest/,
    );
  });
  it('has words for nothing', () => {
    expect(textOf(densitySentence({ ...parts, smallest: [] }))).toBe('No format is chosen: tick one to see its size.');
    expect([0.23, 0.9372, 0.0053, 0.05].map(roughDensity)).toEqual(['0.23', '0.94', '0.0053', '0.05']);
  });
});

describe('measured speeds', () => {
  const reports = (
    [
      [0.1, 30],
      [0.5, 60],
      [0.9, 120],
    ] as const
  ).map(([density, us]) => {
    const report = modelReport(256, 1024, density, [60, us]);
    const rows = report.rows.map((row) => {
      const ratio = 60_000 / (row.medianNs ?? 1);
      return { ...row, vsDense: { reference: 'dense', ratio, p10: 0.9 * ratio, p90: 1.1 * ratio } };
    });
    return { ...report, rows, workload: { ...report.workload, density } };
  });
  const speeds = measuredSpeeds(reports, QUESTION, 'dense');
  const points = speedsOf(speeds, 'macko', { deltaBits: 4, valueType: 'f16' });
  it('come from reports of this shape, the newest first', () => {
    expect(points.map((p) => [p.density, Number(p.ratio.toFixed(3))])).toEqual([
      [0.1, 2],
      [0.5, 1],
      [0.9, 0.5],
    ]);
    expect(measuredSpeeds(reports, { ...QUESTION, cols: 1000 }, 'dense')).toEqual([]);
    const newer = reports.slice(0, 1).map((r) => ({
      ...r,
      rows: r.rows.map((row) => ({ ...row, vsDense: { reference: 'dense', ratio: 5, p10: 5, p90: 5 } })),
    }));
    expect(speedsOf(measuredSpeeds([...newer, ...reports], QUESTION, 'dense'), 'macko', {})[0].ratio).toBe(5);
  });
  it('know dense in 4 bits, which is compared with dense in the asked type', () => {
    const [report] = reports;
    const vsDense = { reference: 'dense', valueType: 'f16', ratio: 2.4, p10: 2.3, p90: 2.5 };
    const row = { ...report.rows[0], format: 'dense', params: { valueType: 'i4' }, vsDense };
    const found = measuredSpeeds([{ ...report, rows: [...report.rows, row] }], QUESTION, 'dense');
    expect(speedsOf(found, 'dense', { valueType: 'i4' }).map((s) => s.ratio)).toEqual([2.4]);
    const [i8, i4] = quantisedLines(dense, params.dense, QUESTION);
    const entries = [{ valueType: 'f16' }, i4.variant.params].map((set) => ({ format: 'dense', params: set }));
    expect(comingDots(entries, [0.1, 0.5], found, [i8, i4])).toEqual([
      { id: 'dense in i4', format: 'dense', densities: [0.5] },
    ]);
  });
  it('lie on a line between two densities, by their logarithms, and nowhere else', () => {
    expect(speedAt(points, 0.3)).toBeCloseTo(Math.SQRT2, 9);
    expect(speedAt(points, 0.05)).toBeNull();
    // A generated matrix has almost the density that was asked for.
    const [alone] = points;
    expect(speedAt([alone], alone.density * 1.0005)).toBe(alone.ratio);
    expect(speedAt([alone], alone.density * 0.9995)).toBe(alone.ratio);
    expect(speedAt([alone], alone.density * 1.01)).toBeNull();
    expect(speedAt([], 0.1)).toBeNull();
    expect(speedAt(points, 0.95)).toBeNull();
  });
  it('tell who is fastest, with the place at which dense is even', () => {
    const along = fastestAlong([{ name: 'MACKO', points }], 'dense');
    expect(along.map((s) => s.winner)).toEqual(['MACKO', 'dense']);
    expect(along[0].to).toBeCloseTo(0.5, 3);
    expect(fastestAlong([{ name: 'MACKO', points: points.slice(0, 1) }], 'dense')).toEqual([]);
  });
});

describe('the table at the cursor', () => {
  let curves: readonly FormatCurves[] = [];
  beforeAll(async () => {
    curves = await Promise.all(formats.map((f) => sampleFormat(f, params[f.id], QUESTION)));
  });
  const others = () =>
    formats.filter((f) => !f.expectedEffectiveDensity).flatMap((f) => variantsOf(f, params[f.id], QUESTION));
  const rowsAt = (density: number, encoded: readonly EncodedSize[] = []) =>
    ranking({
      curves,
      others: others(),
      encoded,
      question: QUESTION,
      density,
      speedOf: () => null,
      denseBytes: denseBytes(QUESTION),
    });

  it('ranks by bytes, refused last, each with a reason', () => {
    const rows = rowsAt(0.3);
    const bytes = rows.map((r) => r.bytes ?? Infinity);
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
    expect(rows[0].format.id).toBe('bitmask');
    for (const row of rows) expect(row.why).not.toBe('');
    expect(rows.find((r) => r.format.id === 'macko')?.bytes).toBe(
      expectedBytes(rows.find((r) => r.format.id === 'macko')?.variant ?? rows[0].variant, 0.3, QUESTION),
    );
    expect(rows.at(-1)?.why).toMatch(/refused|no closed form/);
    expect(rows[0].speed?.ratio).toBeCloseTo(denseBytes(QUESTION) / (rows[0].bytes ?? 1), 9);
  });
  it('ends with dense in fewer bits, which is not ranked', () => {
    const quantised = quantisedLines(dense, params.dense, QUESTION);
    const rows = ranking({
      curves,
      others: [],
      encoded: [],
      question: QUESTION,
      density: 0.9,
      speedOf: ({ label }) => (label === 'i4' ? 2.4 : null),
      denseBytes: denseBytes(QUESTION),
      quantised,
    });
    expect(rows.slice(-2).map((r) => [r.variant.label, r.beside, r.why])).toEqual([
      ['i8', true, 'keeps every cell, in 8.03 bits with its scales'],
      ['i4', true, 'keeps every cell, in 4.5 bits with its scales'],
    ]);
    expect(rows.at(-1)?.speed).toEqual({ ratio: 2.4, measured: true });
  });
  it('takes bytes and padding of what was encoded near the cursor', () => {
    const [ec] = others();
    const size = (density: number, bytes: number): EncodedSize => ({
      format: ec.format.id,
      params: ec.params,
      density,
      nnz: 1,
      bytes,
      paddingBytes: bytes / 10,
      refusal: null,
    });
    const encoded = [size(0.2, 100_000), size(0.31, 200_000)];
    expect(interpolatedBytes(encoded, ec, 0.255, QUESTION)).toBeCloseTo(150_000, 6);
    expect(interpolatedBytes(encoded, ec, 0.1, QUESTION)).toBeNull();
    const row = rowsAt(0.3, encoded).find((r) => r.format.id === ec.format.id);
    expect(row?.padding).toBeCloseTo(0.1, 9);
    expect(row?.bytes).toBeGreaterThan(190_000);
  });
});

describe('what is measured', () => {
  it('is at as many densities as asked for, or at those of the patterns', () => {
    expect(densitiesOf(CHOICES)).toEqual([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    expect(densitiesOf({ ...CHOICES, axis: 'log' })[0]).toBe(0.001);
    expect(densitiesOf({ ...CHOICES, way: 'n-of-m' })).toContain(0.875);
    expect(evenPattern(0.6)).toEqual([4, 6]);
    expect(evenPattern(0.99)).toEqual([14, 16]);
  });
  it('generates or prunes', () => {
    expect(matrixOf(CHOICES, 0.2)).toMatchObject({ kind: 'generated', spec: { pattern: 'uniform', density: 0.2 } });
    expect(matrixOf({ ...CHOICES, matrix: 'stage', way: 'magnitude' }, 0.2)).toEqual({
      kind: 'pruned',
      pruning: { way: 'magnitude', density: 0.2 },
    });
    expect(matrixOf({ ...CHOICES, way: 'n-of-m' }, 0.75)).toMatchObject({
      spec: { pattern: 'n-of-m', density: 0.75, options: { m: 8 } },
    });
  });
  it('asks for slow encoders last, and for formats that have the values and a kernel', () => {
    const [first, last] = sizeRequests(CHOICES, formats, params);
    expect(first.entries.map((e) => e.format)).not.toContain('ec-csr');
    expect(last.entries.map((e) => e.format)).toEqual(['ec-csr']);
    const { request, axis } = speedRequest({ ...CHOICES, formats: ['csr', 'macko'] }, formats, params, 'gpu');
    expect(request.entries.map((e) => e.format)).toEqual(['csr', 'macko']);
    expect(axis).toEqual({ of: 'density', values: densitiesOf(CHOICES) });
    const lines = quantisedLines(dense, params.dense, QUESTION);
    const beside = speedRequest({ ...CHOICES, formats: ['macko'] }, formats, params, 'gpu', lines).request.entries;
    expect(beside.map((e) => [e.format, e.params.valueType])).toEqual([
      ['dense', 'i4'],
      ['macko', 'f16'],
    ]);
  });
});
