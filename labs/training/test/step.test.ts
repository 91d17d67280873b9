// A training step of the TwELL paper's block: bytes for the backward pass, speeds, measurement, and the recorded
// step.

import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../../src/core/errors.ts';
import { defaultParams } from '../../../src/core/format.ts';
import { csrMatrix } from '../../../src/core/matrix/index.ts';
import { formats } from '../../../src/formats/registry.ts';
import { measureStep } from '../page/measure-step.ts';
import { RECORDED_STEP } from '../page/recorded-runs.ts';
import { overflowText, stepWords } from '../page/step-words.ts';
import {
  keptBytes,
  type PartTimes,
  STEP_NON_ZEROS,
  STEP_PARTS,
  STEP_SHAPE,
  type StepPoint,
  type StepFormats,
  type StepRun,
  stepRatio,
  stepCrossover,
} from '../theory/step.ts';
import { REPORT } from '../../../test/fake-engine.ts';
import { quietWatch } from '../../../test/jobs.ts';

const timesOf = (dense: number, sparse: number): PartTimes => ({
  reference: { medianNs: dense, p10Ns: dense, p90Ns: dense },
  sparse: { medianNs: sparse, p10Ns: sparse, p90Ns: sparse },
  ratio: dense / sparse,
  rounds: 20,
  isRight: true,
});

const FORMATS: StepFormats = {
  format: 'hybrid',
  reference: 'dense',
  attempts: [
    { params: { rowSlots: 128 }, overflow: '3 of 9 rows overflow' },
    { params: { rowSlots: 256 }, overflow: null },
  ],
  kept: { reference: 69_206_016, sparse: 14_000_000, sparseAtFirst: 10_765_312 },
};

/** A step with 1 ms for the update in both formats, and 4 ms for the rest, dense. */
const pointAt = (mean: number, sparseNs: number): StepPoint => ({
  ...FORMATS,
  mean,
  parts: { forward: timesOf(2e6, sparseNs / 2), backward: timesOf(2e6, sparseNs / 2), update: timesOf(1e6, 1e6) },
});

const textOf = (words: readonly { readonly text: string }[]): string => words.map(({ text }) => text).join('');

describe('bytes saved for the backward pass', () => {
  test.for(Object.entries({ dense: 69.2, hybrid: 10.8 }))('in %s are %f MB at the paper’s sizes', ([id, megabytes]) => {
    const { tokens, hidden } = STEP_SHAPE;
    const format = formats.find((candidate) => candidate.id === id);
    if (!format) throw new Error(`formats: found no ${id}, expected one`);
    const arrays = { indptr: new Uint32Array(tokens + 1), indices: new Uint32Array(0), data: new Float32Array(0) };
    const params = defaultParams(format.params);
    const encoded = format.encode(csrMatrix({ rows: tokens, cols: hidden, ...arrays }), params);
    expect(keptBytes(format.storage(encoded), String(params.valueType)) / 1e6).toBeCloseTo(megabytes, 1);
  });
});

describe('the text about which format is faster', () => {
  const run = (...points: readonly StepPoint[]): StepRun => ({ on: 'a card', shape: STEP_SHAPE, points });

  test('compares sums of the measured parts, and names the non-zeros between which dense becomes faster', () => {
    const points = [pointAt(8, 1e6), pointAt(30, 3e6), pointAt(100, 6e6)];
    expect([points.map(stepRatio), stepCrossover(points)]).toEqual([[2.5, 1.25, 5 / 7], { below: 30, from: 100 }]);
    expect(textOf(stepWords(run(...points), points[0], 'hybrid'))).toBe(
      'With 8 non-zeros per token, hybrid is faster, 2.50×: a step needs 2.00\u202fms in hybrid, 5.00\u202fms dense. It turns between 30 and 100.',
    );
    expect(textOf(stepWords(run(...points), points[2], 'hybrid'))).toContain('dense is faster, 1.40×');
  });

  test('states that one format is faster at all measured non-zeros', () => {
    const [fast, slow] = [pointAt(8, 1e6), pointAt(30, 6e6)];
    expect(textOf(stepWords(run(fast), fast, 'hybrid'))).toContain('Up to 8, hybrid stays faster.');
    expect(textOf(stepWords(run(slow), slow, 'hybrid'))).toContain('Dense was faster from 30 on.');
  });

  test('states no result if a part of the step was not measured', () => {
    const incomplete = { ...pointAt(8, 1e6), parts: { forward: timesOf(2e6, 1e6) } };
    expect([stepRatio(incomplete), stepCrossover([incomplete])]).toEqual([null, { below: null, from: null }]);
    expect(textOf(stepWords(run(incomplete), incomplete, 'hybrid'))).toBe('Not measured as a whole.');
  });
});

test('the text about an overflow has the number of repetitions, and the bytes before and after', () => {
  const bytes = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
  expect(overflowText(pointAt(8, 1), bytes)).toBe('Run again in larger arrays, 1 time: 10.8 MB became 14.0 MB.');
  const withoutOverflow = { ...pointAt(8, 1), attempts: FORMATS.attempts.slice(1) };
  expect(overflowText(withoutOverflow, bytes)).toBeNull();
});

/**
 * Measures a step with services that answer at once; `cancelledAt`: the number of requests after which it is cancelled.
 * Returns the requests, the runs so far at each update, and the result or error.
 */
async function measureWithFakes(cancelledAt = Number.POSITIVE_INFINITY, means: readonly number[] = [8, 30]) {
  const requests: string[] = [];
  const runs: StepRun[] = [];
  const startJob = measureStep(
    {
      training: {
        stepFormats: (_, spec) => (
          requests.push(`formats for ${Math.round(spec.density * STEP_SHAPE.hidden)} non-zeros`),
          Promise.resolve(FORMATS)
        ),
      },
      bench: {
        async sweep(_, _request, axis, onReport) {
          if (axis.of !== 'non-zeros') throw new Error(`axis: found ${axis.of}, expected non-zeros`);
          for (const [position, { operation, entries }] of axis.parts.entries()) {
            if (requests.length >= cancelledAt) throw new CancelledError();
            requests.push(
              `${operation} of ${entries.map(({ format, params }) => `${format} ${JSON.stringify(params)}`).join()}`,
            );
            await onReport({ ...REPORT, workload: { ...REPORT.workload, operation } }, position);
          }
        },
      },
    },
    STEP_SHAPE,
    means,
  );
  const jobParts = { lastOfSameKey: null, lastOfAnyKey: null, update: (run: StepRun) => runs.push(run) };
  const job = startJob(quietWatch(new AbortController().signal), jobParts);
  const result = await job.catch((error: unknown) => error);
  return { requests, runs, result };
}

describe('measureStep', () => {
  test('measures every part at every mean in the arrays that were large enough, and the update once', async () => {
    const { requests, result } = await measureWithFakes();
    const sparse = 'hybrid {"rowSlots":256}';
    expect(requests).toEqual([
      'formats for 8 non-zeros',
      `forward-storing of ${sparse}`,
      `backward-stored of ${sparse}`,
      'update of dense {}',
      'formats for 30 non-zeros',
      `forward-storing of ${sparse}`,
      `backward-stored of ${sparse}`,
    ]);
    const { points } = result as StepRun;
    expect(points.map(({ mean, parts }) => [mean, Object.keys(parts).toSorted()])).toEqual([
      [8, ['backward', 'forward', 'update']],
      [30, ['backward', 'forward', 'update']],
    ]);
  });

  test('returns points in ascending order of non-zeros, whichever was measured first', async () => {
    const { requests, result } = await measureWithFakes(undefined, [30, 8]);
    expect([requests[0], (result as StepRun).points.map(({ mean }) => mean)]).toEqual([
      'formats for 30 non-zeros',
      [8, 30],
    ]);
  });

  test('reports the parts measured before it was cancelled', async () => {
    const { runs, result } = await measureWithFakes(6);
    expect(result).toBeInstanceOf(CancelledError);
    const last = runs.at(-1)?.points ?? [];
    expect(last.map(({ mean, parts: timed }) => [mean, 'forward' in timed, 'backward' in timed])).toEqual([
      [8, true, true],
      [30, true, false],
    ]);
  });
});

describe('the recorded step', () => {
  test('contains every part at every mean, verified, in at least 20 rounds, and names the device', () => {
    expect([RECORDED_STEP.points.map(({ mean }) => mean), RECORDED_STEP.shape]).toEqual([STEP_NON_ZEROS, STEP_SHAPE]);
    expect([RECORDED_STEP.on, RECORDED_STEP.date]).toEqual([
      expect.stringMatching(/\w/),
      expect.stringMatching(/^\d{4}/),
    ]);
    for (const { parts } of RECORDED_STEP.points) {
      for (const { id } of STEP_PARTS) {
        expect(parts[id]).toMatchObject({ isRight: true });
        expect(parts[id]?.rounds).toBeGreaterThanOrEqual(20);
      }
    }
  });

  test('used arrays of the paper’s sizes if they were large enough, and larger arrays after an overflow', () => {
    for (const { attempts, kept } of RECORDED_STEP.points) {
      expect([kept.reference, kept.sparseAtFirst]).toEqual([69_206_016, 10_765_312]);
      expect(kept.sparse > kept.sparseAtFirst).toBe(attempts.length > 1);
      expect(attempts.map(({ overflow }) => overflow === null)).toEqual(
        attempts.map((_, i) => i === attempts.length - 1),
      );
    }
    expect(RECORDED_STEP.points.some(({ attempts }) => attempts.length > 1)).toBe(true);
  });
});
