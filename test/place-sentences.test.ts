import { describe, expect, it } from 'vitest';
import { defaultParams } from '../src/core/format.ts';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import { type TimedMatrix, fastest, type FormatQuery } from '../src/kit/report/matrix-times.ts';
import { measuredCrossover, publishedCrossover } from '../src/kit/report/crossover-sentence.ts';
import { crossoverWords } from '../src/kit/report/crossover-words.ts';
import { speedWords } from '../src/places/compare/chart/chart-words.ts';
import { fastestAlong, measuredSpeeds } from '../src/places/compare/curves/measured-speeds.ts';
import { type Way, wayName, waysToStore } from '../src/places/compare/rows/ways.ts';
import { measuredWords } from '../src/places/measure/answer/AnswerHead.tsx';
import { timesWith } from '../src/places/measure/answer/use-measured.ts';
import { endOf, megabytes, pairOf } from '../src/places/watch/first-visit/visit-words.ts';
import type { Device } from '../src/state/devices/device.ts';
import type { FormatParams } from '../src/state/index.ts';
import { answerOf, queryOf, questionsOf, ratioOf, recordedDevices, rowIn, waysIn } from './recorded-questions.ts';
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

const near = (report: BenchReport, { rows, cols, density, tokens }: TimedMatrix): boolean =>
  report.workload.rows === rows &&
  report.workload.cols === cols &&
  report.workload.operation === (tokens === 1 ? 'spmv' : 'gemm') &&
  (report.workload.sizes?.tokens ?? 1) === tokens &&
  Math.abs(report.workload.density - density) < 0.004 * density;

describe.each(DEVICES)('on %s', (on, device) => {
  it('Measure says what a report has of both, and of what is simple or of another run that it is', () => {
    const read = new Read();
    for (const asked of questionsOf(device)) {
      const ways = waysIn(device.reports, asked);
      for (const [i, a] of ways.entries()) {
        const b = ways[(i + 1) % ways.length];
        const of = timesWith(asked, queryOf(a), queryOf(b))(device);
        const measured = answerOf(asked, device, a, b);
        const text = plainText(measuredWords(measured, device, null));
        const reports = device.reports.filter((report) => near(report, asked));
        const [rowA, rowB] = [of.pair.a?.row, of.pair.b?.row];
        if (!rowA || !rowB) continue;
        const both = reports.filter((report) => rowIn(report, a) && rowIn(report, b));
        const isApart = !both.some((report) => rowIn(report, a) === rowA && rowIn(report, b) === rowB);
        // Where one report has both, it answers.
        expect(isApart, text).toBe(both.length === 0);
        const simple = ({ kernel }: BenchRow): string => (kernel === 'ell/spmv_scalar' ? ' (one simple kernel)' : '');
        const name = (way: Way, other: Way): string => measured.sides[way === a ? 0 : 1]?.name ?? wayName(way, [other]);
        const [nsA, nsB] = [rowA.medianNs ?? 1, rowB.medianNs ?? 0];
        const ratio = isApart ? nsB / nsA : ratioOf(rowA, rowB);
        const isOfRounds = Math.abs(nsB / nsA / ratio - 1) > 0.02;
        // Behind two times stands the quotient that a reader finds, unless the rounds say something else.
        const [readA, readB] = [nsA, nsB].map((time) => Number(time.toPrecision(3)));
        const said = isOfRounds ? ratio : readB / readA;
        const how = isApart ? ', in another run' : isOfRounds ? '; round by round' : '';
        const rule = `On {device}, {a}${simple(rowA)} multiplies a random matrix like it${asked.tokens === 1 ? '' : ' with {tokens} tokens'} in {aNs}, {b}${simple(rowB)} in {bNs}${how}: {ratio} times as fast. If only bytes counted: {byBytes} times.`;
        read.sentence(
          text,
          rule,
          {
            device: on,
            a: name(a, b),
            b: name(b, a),
            aNs: ns(nsA),
            bNs: ns(nsB),
            ratio: times(said),
            byBytes: times(rowB.bytes / rowA.bytes),
            tokens: String(asked.tokens),
          },
          `${asked.rows} x ${asked.cols}, ${asked.density}, ${a.key}, ${b.key}`,
        );
        expect(text).not.toMatch(/at least|at most|expected|software/);
      }
    }
    const plain =
      'On {device}, {a} multiplies a random matrix like it in {aNs}, {b} in {bNs}: {ratio} times as fast. If only bytes counted: {byBytes} times.';
    expect(read.met(plain)).toBeGreaterThan(30);
    // No format that was recorded has a simple kernel alone any more.
    expect(read.met(plain.replace('{b} in', '{b} (one simple kernel) in'))).toBe(0);
    expect(read.met(plain.replace(': {ratio}', ', in another run: {ratio}'))).toBeGreaterThan(5);
  });
});

describe('from which share on one is faster', () => {
  const dense = (valueType: string): FormatQuery => ({
    format: referenceFormat.id,
    params: { valueType },
    spec: referenceFormat.params,
  });
  const own = (id: string): FormatQuery => {
    const format = formats.find((one) => one.id === id) ?? referenceFormat;
    return { format: id, params: defaultParams<FormatParams>(format.params), spec: format.params };
  };
  const timeIn = (report: BenchReport, query: FormatQuery): number =>
    fastest(report, query)?.row.medianNs ?? Number.NaN;

  it('is between two measurements of which only one has it faster, and dense in fewer bits is named where it is', () => {
    const read = new Read();
    const [, device] = [0, { ...recorded, recorded: mark }];
    const once = '{a} is faster than {b} below {at} left';
    const rest = '; at {here} {dense} {are} faster{still}.';
    for (const asked of questionsOf(recorded).filter(({ isEven }) => !isEven)) {
      for (const id of ['macko', 'csr', 'bitmask']) {
        const [a, b] = [own(id), dense('f16')];
        const facts = measuredCrossover(
          asked,
          device,
          device.name,
          { query: a, name: id },
          { query: b, name: 'dense f16' },
        );
        if (facts === null) continue;
        const where = `${asked.rows} x ${asked.cols}, ${asked.tokens} tokens, ${asked.density}: ${id}`;
        const { turn } = facts;
        // What was measured here, looked for in the reports alone.
        const reports = recorded.reports.filter(
          (report) =>
            near(report, { ...asked, density: report.workload.density }) &&
            report.workload.memory === 'cold' &&
            report.workload.source.startsWith('uniform, '),
        );
        const ratios = reports.map((report) => ({
          left: report.workload.density,
          ratio: timeIn(report, b) / timeIn(report, a),
        }));
        for (const at of turn.at) {
          const known = ratios.filter(({ ratio }) => Number.isFinite(ratio));
          const below = known.filter(({ left }) => left < at).map(({ left }) => left);
          const above = known.filter(({ left }) => left > at).map(({ left }) => left);
          expect(below.length, where).toBeGreaterThan(0);
          expect(above.length, where).toBeGreaterThan(0);
        }
        if (turn.at.length !== 1 || !turn.startsAhead || turn.between !== null) continue;
        const [at] = turn.at;
        for (const { left, ratio } of ratios) {
          // Near the turn, medians of two runs may disagree.
          if (Number.isFinite(ratio) && Math.abs(left - at) > 0.06)
            expect(ratio > 1, `${where} at ${left}`).toBe(left < at);
        }
        const here = reports.find((report) => near(report, asked));
        const text = plainText(crossoverWords(facts));
        const names = ['i4', 'i8'].filter((type) => here && timeIn(here, dense(type)) < timeIn(here, a));
        if (here && names.length > 0) {
          const isAhead = timeIn(here, a) < timeIn(here, b);
          read.sentence(
            text,
            once + rest,
            {
              on: recorded.name,
              a: id,
              b: 'dense f16',
              at: { ...percent(at), digits: 1 },
              here: { ...percent(asked.density), digits: 1 },
              dense: `dense ${names.join(' and ')}`,
              are: names.length === 1 ? 'is' : 'are',
              still: isAhead ? ' still' : '',
            },
            where,
          );
        }
      }
    }
    expect(read.met(once + rest)).toBeGreaterThan(3);
    const software: Device = { ...device, reports: recorded.reports.map(inSoftware) };
    const passes = questionsOf(recorded).map((asked) => {
      const sides = [
        { query: own('macko'), name: 'MACKO' },
        { query: dense('f16'), name: 'dense f16' },
      ] as const;
      return [measuredCrossover(asked, device, 'it', ...sides), measuredCrossover(asked, software, 'it', ...sides)];
    });
    expect(passes.some(([ofCard]) => ofCard !== null)).toBe(true);
    expect(passes.filter(([, inSoft]) => inSoft !== null)).toEqual([]);
  });

  it('is what was published where nothing was measured, with what was not compared there', async () => {
    const macko = formats.find(({ id }) => id === 'macko');
    const published = ((await macko?.published?.()) ?? []).map((figures) => ({ format: 'macko', figures }));
    const [asked] = questionsOf(recorded).filter(({ tokens }) => tokens === 1);
    const card = { ...recorded, id: 'rtx-4090', name: 'GeForce RTX 4090', kind: 'published', reports: [] } as const;
    const [a, b] = [
      { query: own('macko'), name: 'MACKO' },
      { query: dense('f16'), name: 'dense f16' },
    ];
    const facts = publishedCrossover(asked, card, a, b, published);
    // 1.01 times as fast with 70 % left, 0.89 times with 80 %.
    expect(facts && plainText(crossoverWords(facts)).replaceAll('\u202f', ' ')).toBe(
      'Published for RTX 4090: MACKO is faster than dense f16 below 71 % left; dense i4 and i8 were not compared there.',
    );
    expect(publishedCrossover(asked, { ...card, id: 'h100' }, a, b, published)).toBeNull();
    expect(publishedCrossover({ ...asked, tokens: 8 }, card, a, b, published)).toBeNull();
    expect(publishedCrossover(asked, card, b, a, published)).toBeNull();
    expect(publishedCrossover(asked, card, a, { query: dense('i8'), name: 'dense i8' }, published)).toBeNull();
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
    const said = (device: Device): string => plainText(measuredWords(answerOf(asked, device, a, b), device, null));
    expect(said(software)).toMatch(/software/);
    for (const [, device] of DEVICES) expect(said(device)).not.toMatch(/software/);
  }
});

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));

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
      for (const isSoftware of [false, true]) {
        const [before, news, after] = endOf({ a, b, isSoftware });
        expect(before).toBe(a < b ? ' and takes' : ', yet takes');
        expect(news).toBe(pairOf(a, b));
        expect(after.includes('software')).toBe(isSoftware);
      }
    }
  }
  for (const size of [73_434_000, 117_440_512, 33_030_144, 950_000]) {
    read.sentence(megabytes(size), '{size}', { size: { ...bytes(size), digits: 1 } }, String(size));
  }
});
