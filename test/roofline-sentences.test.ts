import { describe, expect, it } from 'vitest';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { formats } from '../src/formats/catalog.ts';
import {
  choiceOf,
  measuredPoints,
  predictedPoint,
  type RoofPoint,
  subjectsOf,
} from '../src/places/measure/roofline/roof-points.ts';
import { roofSentence, stepsOf } from '../src/places/measure/roofline/roof-words.ts';
import type { Roofs } from '../src/theory/roofline/roofs.ts';
import { recordedDevices } from './recorded-questions.ts';
import { bytes, type Facts, flop, ns, number, percent, plainText, rate, Read, times } from './sentences.ts';

/*
 * The law for sentences, for the roofline: bytes, non-zeros and times are read from the rows of the recording, roofs from the
 * device, and everything else follows from them here.
 */

const [device] = recordedDevices;
const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id;

/** Roofs of the device; one whose arithmetic is slow, so that it decides; one of which only the read speed is known. */
const ROOFS: readonly Roofs[] = [
  device.roofs ?? { readGBps: 1, peakGMAps: {}, dispatchNs: 0 },
  { readGBps: 4500, peakGMAps: { f32: 900, i8: 1800, 'i8-matrix': 3600 }, dispatchNs: 1500 },
  { readGBps: 4500, peakGMAps: {}, dispatchNs: 0 },
];

const ARITHMETIC: Readonly<Record<string, string>> = { f32: 'f32', i8: 'i8', 'i8-matrix': 'i8 by matrices' };

/** What follows for a point from its row, its report and the roofs. */
function worked(
  row: Pick<BenchRow, 'bytes' | 'multiplyAdds' | 'format'>,
  report: BenchReport,
  roofs: Roofs,
  arithmetic: string,
) {
  const { nnz, rows, cols, sizes } = report.workload;
  const tokens = sizes?.tokens ?? 1;
  const cells = row.format === 'dense' ? rows * cols : nnz;
  const multiplyAdds = row.multiplyAdds ?? cells * tokens;
  const peak = roofs.peakGMAps[arithmetic] as number | undefined;
  const byBytes = row.bytes / roofs.readGBps;
  const byArithmetic = peak === undefined ? 0 : multiplyAdds / peak;
  const isBytes = byBytes >= byArithmetic;
  const vectors = Math.min(row.bytes, 4 * tokens * (rows + cols));
  const perToken = peak === undefined ? 0 : multiplyAdds / tokens / peak - vectors / tokens / roofs.readGBps;
  const from = Math.max(1, Math.ceil((row.bytes - vectors) / roofs.readGBps / perToken), tokens + 1);
  return {
    tokens,
    nnz,
    multiplyAdds,
    peak,
    byBytes,
    byArithmetic,
    isBytes,
    min: Math.max(byBytes, byArithmetic),
    vectors,
    perToken,
    from,
  };
}

/** Every row of every recorded product of a matrix with activations, with its point, and that of dense in the same report. */
function* points(
  roofs: Roofs,
): Generator<{ point: RoofPoint; dense: RoofPoint; row: BenchRow; ofDense: BenchRow; report: BenchReport }> {
  for (const report of device.reports) {
    if (!['spmv', 'gemm'].includes(report.workload.operation)) continue;
    const [subject] = subjectsOf([report]);
    const all = measuredPoints([report], subject, roofs);
    const rowOf = (one: RoofPoint): BenchRow | undefined =>
      report.rows.find(
        (row) =>
          row.kernel === one.kernel &&
          JSON.stringify(row.params) === JSON.stringify(one.params) &&
          row.medianNs === one.measured?.ns,
      );
    const dense = all.find((one) => choiceOf(one) === 'dense');
    const ofDense = dense && rowOf(dense);
    if (!dense || !ofDense) continue;
    for (const point of all) {
      const row = rowOf(point);
      if (row) yield { point, dense, row, ofDense, report };
    }
  }
}

const titleIn = ({ format, arithmetic, cells }: RoofPoint): string => {
  const apart = arithmetic === 'f32' ? cells : ARITHMETIC[arithmetic];
  return apart === null ? titleOf(format) : `${titleOf(format)} in ${apart}`;
};

/** How many times as fast as dense: as its report says, where it compared these two rows; null where it compared none. */
function againstDense(row: BenchRow, dense: BenchRow, report: BenchReport): number | null {
  if (row.vsDense === null) return null;
  return isComparedWith(row, dense, report) ? row.vsDense.ratio : (dense.medianNs ?? 0) / (row.medianNs ?? 1);
}

/** Whether a report compared these two rows. */
function isComparedWith({ vsDense, params }: BenchRow, dense: BenchRow, { rows }: BenchReport): boolean {
  if (vsDense === null) return false;
  // 4 bits, of whichever format, are compared with dense in f16.
  const { reference, valueType = params.valueType === 'i4' ? 'f16' : params.valueType } = vsDense;
  const ofType = rows.filter((row) => row.kernel === reference && row.params.valueType === valueType);
  // Where no dense has its value type, it is compared with the fastest.
  return dense.kernel === reference && (ofType.length === 0 || ofType.includes(dense));
}

/** What its rounds against dense spread over with the two times, where these are on both sides of 1; null where they are not. */
function bothSides(row: BenchRow, dense: BenchRow, report: BenchReport): readonly [low: number, high: number] | null {
  const { vsDense, medianNs } = row;
  if (vsDense === null || vsDense.p10 >= 1 || vsDense.p90 <= 1 || !isComparedWith(row, dense, report)) return null;
  const quotient = (dense.medianNs ?? 0) / (medianNs ?? 1);
  return [Math.min(vsDense.p10, quotient), Math.max(vsDense.p90, quotient)];
}

/** How the sentence begins, and how it ends: from how many tokens on arithmetic is the limit. */
function around(w: ReturnType<typeof worked>): readonly [first: string, last: string] {
  const first = `With ${w.tokens === 1 ? 'one token' : '{tokens} tokens'}, ${w.isBytes ? 'bytes are' : 'arithmetic is'} the limit: `;
  const last =
    !w.isBytes || w.peak === undefined
      ? ''
      : w.perToken <= 0
        ? ' {rows} rows are too few for arithmetic to be.'
        : ' From {from} tokens on, arithmetic is the limit.';
  return [first, last];
}

describe('the roofline', () => {
  it('says what decides, bytes or arithmetic, and how far a kernel is from dense or from its roof', () => {
    const read = new Read();
    for (const roofs of ROOFS) {
      for (const { point, dense, row, ofDense, report } of points(roofs)) {
        const [subject] = subjectsOf([report]);
        const isDense = choiceOf(point) === 'dense';
        const w = worked(row, report, roofs, point.arithmetic);
        const [first, last] = around(w);
        const facts: Facts = {
          title: titleIn(point),
          tokens: number(w.tokens),
          size: bytes(row.bytes),
          dense: bytes(ofDense.bytes),
          flop: flop(2 * w.multiplyAdds),
          ratio: times(againstDense(row, ofDense, report) ?? 0),
          low: times(bothSides(row, ofDense, report)?.[0] ?? 0),
          high: times(bothSides(row, ofDense, report)?.[1] ?? 0),
          share: { ...percent(w.min / (row.medianNs ?? 1)), digits: 1 },
          from: number(w.from),
          rows: number(subject.rows),
        };
        const reads = w.isBytes ? `{title} reads {size}${isDense ? '' : ' instead of {dense}'}` : '{title} does {flop}';
        const speed =
          row.vsDense === null || isDense
            ? ` and reaches {share} of what ${w.isBytes ? 'bytes allow' : 'arithmetic allows'}.`
            : ` and is ${bothSides(row, ofDense, report) ? '{low} to {high}' : '{ratio}'} times as fast as dense.`;
        const context = { subject, roofs, device: device.name, isMeasured: true, titleOf };
        const said = plainText(roofSentence(point, dense, context));
        read.sentence(said, `${first}${reads}${speed}${last}`, facts, `${row.kernel}, ${report.workload.source}`);
        expect(said).not.toMatch(/prediction|at best|at most/);

        // The same matrix and bytes where nothing was timed.
        const { rows, cols } = subject;
        const matrixBytes = row.bytes - w.vectors;
        if (w.vectors === row.bytes || point.arithmetic !== 'f32' || row.multiplyAdds !== undefined) continue;
        const expected = {
          format: row.format,
          params: row.params,
          matrixBytes,
          counted: true,
          multiplyAdds: w.multiplyAdds / w.tokens,
          ...(point.cells !== null && { cells: point.cells }),
        };
        const predicted = predictedPoint(expected, subject, w.tokens, roofs);
        const ofOther = worked(ofDense, report, roofs, dense.arithmetic);
        const its: Facts = {
          ...facts,
          device: 'A card',
          size: bytes(matrixBytes + 4 * w.tokens * (rows + cols)),
          ns: ns(w.min + roofs.dispatchNs),
          ratio: times((ofOther.min + roofs.dispatchNs) / (w.min + roofs.dispatchNs)),
        };
        for (const isMeasured of [false, true]) {
          const against = isDense ? '' : ', by the roofs {ratio} times as fast as dense';
          const end = isMeasured ? `${against}: not yet measured.` : ` on {device}${against}: a prediction.`;
          const words = plainText(roofSentence(predicted, dense, { ...context, device: 'A card', isMeasured }));
          read.sentence(words, `${first}${reads} and would take {ns}${end}${last}`, its, `${row.kernel}, predicted`);
        }
      }
    }
    expect(
      read.met(
        'With one token, bytes are the limit: {title} reads {size} instead of {dense} and is {ratio} times as fast as dense. From {from} tokens on, arithmetic is the limit.',
      ),
    ).toBeGreaterThan(30);
  });

  it('takes its steps with the numbers of the row', () => {
    const read = new Read();
    for (const roofs of ROOFS) {
      for (const { point, dense, row, ofDense, report } of points(roofs)) {
        const [subject] = subjectsOf([report]);
        const w = worked(row, report, roofs, point.arithmetic);
        const o = worked(ofDense, report, roofs, dense.arithmetic);
        const isDense = choiceOf(point) === 'dense';
        const useful = 2 * w.nnz * w.tokens;
        const ridge = w.peak === undefined ? 0 : (2 * w.peak) / roofs.readGBps;
        const intensity = useful / row.bytes;
        const [ownNs, denseNs] = [row.medianNs ?? 1, ofDense.medianNs ?? 1];
        const facts: Facts = {
          useful: flop(useful),
          two: number(2),
          nnz: number(w.nnz),
          tokens: number(w.tokens),
          wasted: times((2 * w.multiplyAdds) / useful),
          size: bytes(row.bytes),
          matrix: bytes(row.bytes - w.vectors),
          vectors: bytes(w.vectors),
          dense: bytes(ofDense.bytes),
          intensity: number(intensity, 1),
          ridge: number(ridge, 2),
          far: number(ridge / intensity, 2),
          min: ns(w.min),
          speed: rate(roofs.readGBps),
          ns: ns(ownNs),
          share: { ...percent(w.min / ownNs), digits: 1 },
          predicted: ns(w.min + roofs.dispatchNs),
          byBytes: ns(w.byBytes),
          denseNs: ns(denseNs),
          ratio: times(againstDense(row, ofDense, report) ?? (o.min + roofs.dispatchNs) / (w.min + roofs.dispatchNs)),
          low: times(bothSides(row, ofDense, report)?.[0] ?? 0),
          high: times(bothSides(row, ofDense, report)?.[1] ?? 0),
          byRoofs: times(o.min / w.min),
          denseShare: { ...percent(o.min / denseNs), digits: 1 },
        };
        const steps = new Map(stepsOf(point, dense, subject, roofs).map((step) => [step.id, step]));
        const step = (id: 'work' | 'bytes' | 'intensity' | 'least' | 'time' | 'against') => {
          const found = steps.get(id);
          if (!found) throw new Error(`found no step ${id}`);
          return found;
        };
        const where = `${row.kernel}, ${report.workload.source}`;
        const expectStep = (id: Parameters<typeof step>[0], value: string, formula: string, meaning: string): void => {
          read.sentence(step(id).value, value, facts, `${where}, ${id}`);
          read.sentence(step(id).formula.replace(/(?<=\d)\u202fflop\/B$/, ''), formula, facts, `${where}, ${id}`);
          read.sentence(step(id).meaning, meaning, facts, `${where}, ${id}`);
        };
        expectStep(
          'work',
          '{useful}',
          `{two} × {nnz}${w.tokens === 1 ? '' : ' × {tokens} tokens'}`,
          2 * w.multiplyAdds > 1.01 * useful
            ? 'One multiply-add a non-zero. This kernel does {wasted} times as many.'
            : 'One multiply-add a non-zero.',
        );
        expectStep(
          'bytes',
          '{size}',
          `{matrix} matrix + {vectors} ${w.tokens === 1 ? 'x and y' : 'X and Y'}`,
          `Read once from memory${isDense ? '' : '; dense reads {dense}'}.`,
        );
        read.sentence(step('intensity').value.replace('\u202fflop/B', ''), '{intensity}', facts, where);
        read.sentence(step('intensity').formula, '{useful} / {size}', facts, where);
        read.sentence(
          step('intensity').meaning.replace(/for i?f?\d+(?: by matrices)? was/, 'for its kind was'),
          w.peak === undefined
            ? 'No roof for its kind was measured.'
            : ridge > intensity
              ? 'The ridge is at {ridge}, {far} times further: arithmetic is free.'
              : 'The ridge is at {ridge}: arithmetic is the limit.',
          facts,
          where,
        );
        read.sentence(step('least').value, '{min}', facts, where);
        if (w.isBytes) read.sentence(step('least').formula, '{size} / {speed}', facts, where);
        read.sentence(step('time').value, '{ns}', facts, where);
        read.sentence(step('time').formula, '{min} / {ns} = {share} reached', facts, where);
        read.sentence(step('time').meaning, 'Predicted: {predicted}, with an empty dispatch.', facts, where);
        if (isDense) expect([step('against').value, step('against').formula]).toEqual(['1×', 'this is dense']);
        else {
          expectStep(
            'against',
            bothSides(row, ofDense, report) ? '{low} to {high}×' : '{ratio}×',
            '{denseNs} / {ns}',
            'By the roofs, {byRoofs}×; dense reaches {denseShare} of its roof.',
          );
        }
      }
    }
    expect(read.met('{denseNs} / {ns}')).toBeGreaterThan(50);
  });
});
