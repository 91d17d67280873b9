import { describe, expect, it } from 'vitest';
import {
  type AnyFormat,
  type AnyListedFormat,
  defaultParams,
  type EncodedMatrix,
  namedArrays,
} from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/types.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import { formats as registry } from '../src/formats/registry.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { type Asked, fastest, type FormatQuery } from '../src/kit/report/matrix-times.ts';
import { speedWords } from '../src/places/compare/chart/chart-words.ts';
import { fastestAlong, measuredSpeeds } from '../src/places/compare/curves/measured-speeds.ts';
import { compareAnswer } from '../src/places/compare/rows/compare-answer.ts';
import { matrixRows } from '../src/places/compare/rows/matrix-rows.ts';
import { type Way, wayName, waysToStore } from '../src/places/compare/rows/ways.ts';
import { measuredWords } from '../src/places/measure/answer/AnswerHead.tsx';
import { measuredOf, timesWith } from '../src/places/measure/answer/use-measured.ts';
import { storedWords } from '../src/places/watch/answer/AnswerLine.tsx';
import { endOf, megabytes, pairOf } from '../src/places/watch/first-visit/visit-words.ts';
import type { Side } from '../src/places/watch/sides.ts';
import type { Device } from '../src/state/devices/device.ts';
import type { EncodingState, FormatParams, Stored } from '../src/state/index.ts';
import { AWKWARD_SHAPES, buildMatrix } from './arbitraries.ts';
import { queryOf, questionsOf, recordedDevices, waysIn } from './recorded-questions.ts';
import { bytes, ns, percent, plainText, Read, times } from './sentences.ts';

/** Every report of the recordings, as that of a device of another kind. */
const [recorded] = recordedDevices;
const mark = { id: recorded.id, name: recorded.name } as unknown as NonNullable<Device['recorded']>;
const inSoftware = (report: BenchReport): BenchReport => ({
  ...report,
  environment: { ...report.environment, isFallback: true },
});
const DEVICES: readonly (readonly [on: string, device: Device])[] = [
  [recorded.name, { ...recorded, recorded: mark }],
  ['this GPU', { ...recorded, kind: 'this' }],
];
const NO_TIMES: Device = { ...recorded, kind: 'published', reports: [], id: 'published' };

const summaryOf = (asked: Asked): MatrixSummary =>
  ({ ...asked, generation: 1, name: 'm', source: { kind: 'model', model: 'x' }, place: { isShipped: true } }) as never;

const near = (report: BenchReport, { rows, cols, density, tokens }: Asked): boolean =>
  report.workload.rows === rows &&
  report.workload.cols === cols &&
  report.workload.operation === (tokens === 1 ? 'spmv' : 'gemm') &&
  (report.workload.sizes?.tokens ?? 1) === tokens &&
  Math.abs(report.workload.density - density) < 0.004 * density;

/** The fastest right row of a way in a report, looked for without the code that the page asks. */
function rowIn(report: BenchReport, { format, stored }: Way): BenchRow | null {
  const own = report.rows.filter(
    (row) =>
      row.format === format.id &&
      row.verified.ok &&
      row.medianNs !== null &&
      Object.entries(stored.params).every(([name, value]) => (row.params[name] ?? value) === value),
  );
  return own.toSorted((x, y) => (x.medianNs ?? 0) - (y.medianNs ?? 0))[0] ?? null;
}

/** The median of the ratios of the rounds; of medians where the samples are not of the same rounds. */
function ratioOf(a: BenchRow, b: BenchRow): number {
  const isShared = a.samplesNs.length > 0 && a.samplesNs.length === b.samplesNs.length;
  const ratios = isShared ? a.samplesNs.map((of, i) => b.samplesNs[i] / of).toSorted((x, y) => x - y) : [];
  const middle = (ratios.length - 1) / 2;
  return ratios.length > 0
    ? (ratios[Math.floor(middle)] + ratios[Math.ceil(middle)]) / 2
    : (b.medianNs ?? 0) / (a.medianNs ?? 1);
}

describe.each(DEVICES)('on %s', (on, device) => {
  it('Measure says what a report has of both, and of what is simple or of another run that it is', () => {
    const read = new Read();
    for (const asked of questionsOf(device)) {
      const ways = waysIn(device.reports, asked);
      for (const [i, a] of ways.entries()) {
        const b = ways[(i + 1) % ways.length];
        const of = timesWith(asked, queryOf(a), queryOf(b))(device);
        const measured = measuredOf({
          formats,
          summary: summaryOf(asked),
          asked,
          device,
          times: of,
          encodingOf: () => undefined,
          queryA: queryOf(a),
          queryB: queryOf(b),
        });
        const text = plainText(measuredWords(measured, device, null));
        const reports = device.reports.filter((report) => near(report, asked));
        const [rowA, rowB] = [of.pair.a?.row, of.pair.b?.row];
        if (!rowA || !rowB) continue;
        const both = reports.filter((report) => rowIn(report, a) && rowIn(report, b));
        const isApart = !both.some((report) => rowIn(report, a) === rowA && rowIn(report, b) === rowB);
        // Where one report has both, it answers.
        expect(isApart, text).toBe(both.length === 0);
        const simple = (way: Way): string => (way.format.id === 'ell' ? ' (one simple kernel)' : '');
        const name = (way: Way, other: Way): string =>
          measured.sides[way === a ? 0 : 1]?.name ?? wayName(way as never, [other as never]);
        const rule = `On {device}, {a}${simple(a)} multiplies a random matrix of this shape and density${asked.tokens === 1 ? '' : ' with {tokens} tokens'} in {aNs}, {b}${simple(b)} in {bNs}${isApart ? ', in another run' : ''}: {ratio} times as fast. By bytes alone, {byBytes} times.`;
        read.sentence(
          text,
          rule,
          {
            device: on,
            a: name(a, b),
            b: name(b, a),
            aNs: ns(rowA.medianNs ?? 0),
            bNs: ns(rowB.medianNs ?? 0),
            ratio: times(isApart ? (rowB.medianNs ?? 0) / (rowA.medianNs ?? 1) : ratioOf(rowA, rowB)),
            byBytes: times(rowB.bytes / rowA.bytes),
            tokens: String(asked.tokens),
          },
          `${asked.rows} x ${asked.cols}, ${asked.density}, ${a.key}, ${b.key}`,
        );
        expect(text).not.toMatch(/at least|at most|expected|software/);
      }
    }
    const plain =
      'On {device}, {a} multiplies a random matrix of this shape and density in {aNs}, {b} in {bNs}: {ratio} times as fast. By bytes alone, {byBytes} times.';
    expect(read.met(plain)).toBeGreaterThan(30);
    expect(read.met(plain.replace('{b} in', '{b} (one simple kernel) in'))).toBeGreaterThan(5);
    expect(read.met(plain.replace(': {ratio}', ', in another run: {ratio}'))).toBeGreaterThan(5);
  });
});

it('times of a software adapter are said to be of one, and nothing else is', () => {
  const software: Device = {
    ...recorded,
    kind: 'this',
    isSoftware: true,
    roofs: null,
    reports: recorded.reports.map(inSoftware),
  };
  for (const asked of questionsOf(recorded).slice(0, 6)) {
    const [a, b] = waysIn(recorded.reports, asked);
    const said = (device: Device): string =>
      plainText(
        measuredWords(
          measuredOf({
            formats,
            summary: summaryOf(asked),
            asked,
            device,
            times: timesWith(asked, queryOf(a), queryOf(b))(device),
            encodingOf: () => undefined,
            queryA: queryOf(a),
            queryB: queryOf(b),
          }),
          device,
          null,
        ),
      );
    expect(said(software)).toMatch(/software/);
    for (const [, device] of DEVICES) expect(said(device)).not.toMatch(/software/);
  }
});

/** What encoding a matrix says, with its bytes counted in the arrays themselves. */
function encoder(m: Matrix) {
  const states = new Map<string, EncodingState>();
  const counted = new Map<string, number | null>();
  const key = ({ format, params }: Stored): string => `${format} ${JSON.stringify(params)}`;
  const add = (stored: Stored): void => {
    if (states.has(key(stored))) return;
    const format = registry.find(({ id }) => id === stored.format) as unknown as AnyFormat;
    const admission = format.admits(m, stored.params);
    const encoded: EncodedMatrix | null = admission.ok ? format.encode(m, stored.params) : null;
    const arrays = encoded === null ? null : [...namedArrays(encoded).values()];
    counted.set(key(stored), arrays && arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
    const summary = {
      admission,
      ledger: encoded && format.storage(encoded),
      violations: [],
      encodeMs: 1,
      reason: null,
    } as unknown as EncodingSummary;
    states.set(key(stored), { kind: 'ready', params: stored.params, summary });
  };
  return {
    stateOf(stored: Stored): EncodingState | undefined {
      add(stored);
      return states.get(key(stored));
    },
    /** null where it is refused */
    bytesOf(stored: Stored): number | null {
      add(stored);
      return counted.get(key(stored)) ?? null;
    },
  };
}

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));

/** Matrices of all patterns and awkward shapes. */
function* matrices(): Generator<readonly [title: string, matrix: Matrix]> {
  for (const pattern of Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[]) {
    const recipe = { shape: [24, 72] as const, pattern, density: 0.2, values: 'small integers' as const, seed: 1 };
    yield [pattern, buildMatrix({ ...recipe, storage: 'entries' })];
  }
  for (const shape of AWKWARD_SHAPES) {
    const recipe = { shape, pattern: 'one entry' as const, density: 0, values: 'small integers' as const, seed: 1 };
    yield [shape.join(' x '), buildMatrix({ ...recipe, storage: 'entries' })];
  }
  // Above a million bytes, sizes have units.
  yield [
    'large',
    buildMatrix({
      shape: [600, 1600],
      pattern: 'uniform',
      density: 0.5,
      values: 'small integers',
      seed: 2,
      storage: 'entries',
    }),
  ];
}

function summaryOfMatrix(m: Matrix): MatrixSummary {
  const cells = m.rows * m.cols;
  const density = cells === 0 ? 0 : m.nnz / cells;
  return {
    rows: m.rows,
    cols: m.cols,
    nnz: m.nnz,
    density,
    generation: 1,
    name: 'm',
    source: { kind: 'file', name: 'm' },
  } as never;
}

const titleOf = (format: AnyListedFormat, stored: Stored): string =>
  format.id === referenceFormat.id ? `${format.title} ${String(stored.params.valueType)}` : format.title;

describe('sizes', () => {
  it('Watch says the bytes of the arrays, as a share of dense, and who cannot store the matrix', () => {
    const read = new Read();
    for (const [title, m] of matrices()) {
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      for (const [i, format] of formats.entries()) {
        const other = formats[(i + 1) % formats.length];
        const [a, b] = [format, other].map((one): Side => {
          const stored = { format: one.id, params: params[one.id] };
          return {
            side: 'a',
            format: one,
            stored,
            name: titleOf(one, stored),
            encoding: stateOf(stored),
            story: { kind: 'none' },
          };
        });
        const [sizeA, sizeB] = [bytesOf(a.stored), bytesOf(b.stored)];
        const cells = m.rows * m.cols;
        const alone = plainText(storedWords(summary, a, null, 'this matrix'));
        const where = `${title}, ${a.name}`;
        if (sizeA === null) read.sentence(alone, '{a} cannot store this matrix.', { a: a.name }, where);
        else if (cells > 0) {
          const share = (8 * sizeA) / (cells * (String(a.stored.params.valueType).startsWith('f32') ? 32 : 16));
          const facts = { a: a.name, size: bytes(sizeA), share: { ...times(share), digits: 1 } };
          read.sentence(alone, '{a} stores this matrix in {size}, {share} of dense.', facts, where);
        }
        const text = plainText(storedWords(summary, a, b, 'this matrix'));
        const names = { a: a.name, b: b.name };
        if (sizeA === null && sizeB === null) {
          read.sentence(text, 'Neither {a} nor {b} can store this matrix.', names, where);
        } else if (sizeA === null) {
          const facts = { ...names, bytes: bytes(sizeB ?? 0) };
          read.sentence(text, '{a} cannot store this matrix; {b} stores it in {bytes}.', facts, where);
        } else if (sizeB === null) {
          const facts = { ...names, bytes: bytes(sizeA) };
          read.sentence(text, '{a} stores this matrix in {bytes}; {b} cannot store it.', facts, where);
        } else {
          const facts = { ...names, bytesA: bytes(sizeA), bytesB: bytes(sizeB) };
          read.sentence(text, '{a} stores this matrix in {bytesA}, {b} in {bytesB}.', facts, where);
        }
        expect(text, 'a counted size is not expected').not.toMatch(/about|expected/);
      }
    }
    for (const rule of ['{a} stores this matrix in {bytesA}, {b} in {bytesB}.', '{a} cannot store this matrix.']) {
      expect(read.met(rule)).toBeGreaterThan(5);
    }
  });

  it('Compare says the bytes of the arrays, who is smaller, and what dense in 4 bits takes', () => {
    const read = new Read();
    for (const [title, m] of matrices()) {
      if (m.rows * m.cols === 0) continue;
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      const ways = waysToStore(formats, params, [], m);
      const rows = matrixRows({
        ways,
        summary,
        examples: [],
        encodingOf: stateOf,
        verdictOf: () => null,
        bestOf: () => null,
        measured: new Map(),
        verified: new Map(),
        readGBps: 1000,
        dispatchNs: 1000,
        tokens: 1,
      });
      const typeOf = ({ stored }: Way): string => String(stored.params.valueType);
      const sixteen = rows.filter((row) => ['f16', 'bf16'].includes(typeOf(row)));
      const dense4 = rows.find((row) => row.format.id === 'dense' && typeOf(row) === 'i4');
      for (const [i, a] of sixteen.entries()) {
        const b = sixteen[(i + 1) % sixteen.length];
        const text = plainText(
          compareAnswer({
            level: 'matrix',
            rows,
            a,
            b,
            f16Bytes: 2 * m.rows * m.cols,
            tokens: 1,
            summary,
            model: null,
            isMeasured: true,
          }),
        );
        const [sizeA, sizeB] = [bytesOf(a.stored), bytesOf(b.stored)];
        const names = { a: wayName(a, [b]), b: wayName(b, [a]) };
        const where = `${title}, ${names.a}`;
        if (sizeA === null && sizeB === null) {
          read.sentence(text, '{a} cannot store this matrix, and neither can {b}.', names, where);
          continue;
        }
        if (sizeA === null) {
          const facts = { ...names, bytes: bytes(sizeB ?? 0) };
          read.sentence(text, '{a} cannot store this matrix; {b} stores it in {bytes}.', facts, where);
          continue;
        }
        const min = Math.min(sizeA, sizeB ?? Infinity);
        const smaller = sixteen
          .map((row) => ({ row, size: bytesOf(row.stored) ?? Infinity }))
          .filter(({ row, size }) => row !== a && row !== b && size < min)
          .toSorted((x, y) => x.size - y.size)
          .map(({ row }) => row.format.title);
        const found = [...new Set(smaller)];
        const those =
          found.length === 0
            ? 'none is smaller'
            : found.length === 1
              ? `only ${found[0]} is smaller`
              : found.length <= 3
                ? `${found.slice(0, -1).join(', ')} and ${found[found.length - 1]} are smaller`
                : `${found[0]}, ${found[1]} and ${found[2]} and {more} more are smaller`;
        const size4 = dense4 ? (bytesOf(dense4.stored) ?? 0) : 0;
        const last =
          size4 < sizeA
            ? 'Dense in 4-bit takes {four} and needs no pruning.'
            : 'Dense in 4-bit, which needs no pruning, takes {four}.';
        const stores =
          sizeB === null
            ? '{a} stores this matrix in {bytesA}, {b} cannot store it'
            : '{a} stores this matrix in {bytesA}, {b} in {bytesB}';
        read.sentence(
          text.replace('in 4 bits', 'in 4-bit'),
          `${stores}; of those that keep {type} values ${those}. ${last}`,
          {
            ...names,
            bytesA: bytes(sizeA),
            bytesB: bytes(sizeB ?? 0),
            type: typeOf(a),
            more: String(found.length - 3),
            four: bytes(size4),
          },
          where,
        );
        expect(text).not.toMatch(/about|expected/);
      }
    }
    expect(read.met('{a} cannot store this matrix; {b} stores it in {bytes}.')).toBeGreaterThan(3);
  });
});

describe('bounds', () => {
  it('are called at least, where nothing was timed, and are the longer of bytes and an empty dispatch', () => {
    const read = new Read();
    const { readGBps = 0, dispatchNs = 0 } = NO_TIMES.roofs ?? {};
    for (const [title, m] of matrices()) {
      const summary = summaryOfMatrix(m);
      const { stateOf, bytesOf } = encoder(m);
      const asked: Asked = { ...summary, tokens: 1, names: [], isEstimated: false, isEven: false } as never;
      for (const scale of [1, 1e-4]) {
        const device: Device = { ...NO_TIMES, roofs: { readGBps: readGBps * scale, dispatchNs, peakGMAps: {} } };
        for (const [i, format] of formats.entries()) {
          const other = formats[(i + 1) % formats.length];
          const [queryA, queryB] = [format, other].map((one): FormatQuery => ({
            format: one.id,
            params: params[one.id],
            spec: one.params,
          }));
          const measured = measuredOf({
            formats,
            summary,
            asked,
            device,
            times: timesWith(asked, queryA, queryB)(device),
            encodingOf: stateOf,
            queryA,
            queryB,
          });
          const text = plainText(measuredWords(measured, device, null));
          const [sizeA, sizeB] = [bytesOf(queryA), bytesOf(queryB)];
          const [nameA, nameB] = measured.sides.map(({ name }) => name);
          const where = `${title}, ${nameA}`;
          if (sizeA === null || sizeB === null) {
            expect(text, where).toMatch(
              new RegExp(`^${sizeA === null ? nameA : nameB} cannot store this matrix: .*[^.]\\.$`),
            );
            continue;
          }
          const besides = 4 * m.rows + 2 * Math.min(m.cols, Math.ceil(m.nnz / Math.max(1, m.rows)));
          const [nsA, nsB] = [sizeA, sizeB].map((size) => (size + besides) / (readGBps * scale));
          const facts = {
            a: nameA,
            b: nameB,
            device: device.name,
            aNs: ns(nsA),
            bNs: ns(nsB),
            dispatch: ns(dispatchNs),
            ratio: times((sizeB + besides) / (sizeA + besides)),
          };
          const rule =
            nsA < dispatchNs && nsB < dispatchNs
              ? 'Neither was timed on {device}: each takes at least {dispatch}, an empty dispatch.'
              : nsA < dispatchNs
                ? 'Neither was timed on {device}: {a} takes at least {dispatch}, an empty dispatch.'
                : nsB < dispatchNs
                  ? 'Neither was timed on {device}: the bytes of {a} alone take at least {aNs}.'
                  : 'Neither was timed on {device}: the bytes of {a} alone take at least {aNs}, those of {b} {bNs}: by bytes alone, {ratio} times.';
          read.sentence(text, rule, facts, where);
          expect(text).not.toMatch(/at most|allow|software|recorded/);
        }
      }
    }
    expect(
      read.met('Neither was timed on {device}: each takes at least {dispatch}, an empty dispatch.'),
    ).toBeGreaterThan(20);
    expect(
      read.met(
        'Neither was timed on {device}: the bytes of {a} alone take at least {aNs}, those of {b} {bNs}: by bytes alone, {ratio} times.',
      ),
    ).toBeGreaterThan(20);
  });
});

describe('who is the fastest', () => {
  it('is so at every density that was measured, and no other format of 16 bits is faster there', () => {
    const read = new Read();
    const dense = queryOf({ ...waysToStore([referenceFormat], params, [], { rows: 1, cols: 1 })[0] });
    const shapes = new Map(questionsOf(recorded).map((asked) => [`${asked.rows} ${asked.cols}`, asked]));
    for (const asked of [...shapes.values()].filter(({ tokens }) => tokens === 1)) {
      const lines = formats
        .filter(({ id }) => id !== referenceFormat.id)
        .map((format) => ({
          name: format.title,
          points: measuredSpeeds(
            recorded.reports,
            asked,
            { format: format.id, params: params[format.id], spec: format.params },
            dense,
          ),
        }))
        .filter(({ points }) => points.length > 0);
      const ofFormats = fastestAlong(lines, referenceFormat.title);
      if (ofFormats.length === 0) continue;
      const words = speedWords({
        on: 'the device',
        formats: lines.length + 1,
        ofFormats,
        withDense: ofFormats,
        quantised: [],
        reference: referenceFormat.title,
      });
      const where = `${asked.rows} x ${asked.cols}`;
      for (const { winner, from, to } of ofFormats) {
        for (const report of recorded.reports) {
          const { density } = report.workload;
          if (!near(report, { ...asked, density }) || density <= from + 0.003 || density >= to - 0.003) continue;
          const base = fastest(report, dense)?.row.medianNs ?? 0;
          for (const { name } of lines) {
            const format = formats.find(({ title }) => title === name);
            const row =
              format && fastest(report, { format: format.id, params: params[format.id], spec: format.params });
            if (!row?.row.medianNs || report.workload.source.startsWith('n-of-m')) continue;
            const own = formats.find(({ title }) => title === winner);
            const best =
              winner === referenceFormat.title
                ? base
                : ((own &&
                    fastest(report, { format: own.id, params: params[own.id], spec: own.params })?.row.medianNs) ??
                  null);
            if (best)
              expect(best, `${where}, ${density}: ${winner} against ${name}`).toBeLessThan(1.01 * row.row.medianNs);
          }
        }
      }
      const [first] = ofFormats;
      if (
        ofFormats.length === 2 &&
        first.winner !== referenceFormat.title &&
        ofFormats[1].winner === referenceFormat.title
      ) {
        read.sentence(
          plainText(words),
          'On the device, of {formats} formats with 16-bit values {winner} is the fastest from {from} to {to}.',
          {
            formats: String(lines.length + 1),
            winner: first.winner,
            from: { ...percent(first.from), digits: 1 },
            to: percent(first.to),
          },
          where,
        );
      }
    }
    expect(
      read.met('On the device, of {formats} formats with 16-bit values {winner} is the fastest from {from} to {to}.'),
    ).toBeGreaterThan(1);
  });
});

it('the first visit says both times and both sizes in their own order', () => {
  const read = new Read();
  const values = [1250, 1999, 9995, 23_857, 30_068, 999_400, 1_204_000, 933_000, 5.2e9];
  for (const a of values) {
    for (const b of values) {
      read.sentence(pairOf(a, b), '{a} instead of {b}', { a: ns(a), b: ns(b) }, `${a} and ${b}`);
      expect(endOf({ a, b }).startsWith('so')).toBe(a < b);
    }
  }
  for (const size of [73_434_000, 117_440_512, 33_030_144, 950_000]) {
    read.sentence(megabytes(size), '{size}', { size: { ...bytes(size), digits: 1 } }, String(size));
  }
});
