import { describe, expect, it } from 'vitest';
import { formats } from '../src/formats/catalog.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import type { TimedMatrix } from '../src/kit/report/matrix-times.ts';
import { productBytes, timeBound } from '../src/kit/report/time-bound.ts';
import { speedRange } from '../src/kit/words/speed-of.ts';
import { measuredSpeeds } from '../src/pages/compare/curves/measured-speeds.ts';
import { measuredRows } from '../src/pages/compare/rows/measured-rows.ts';
import { matrixRows } from '../src/pages/compare/rows/matrix-rows.ts';
import type { StoredVariant } from '../src/pages/compare/rows/stored-variants.ts';
import { timesWith } from '../src/pages/measure/answer/use-measured.ts';
import { queryOf, timedMatrices, recordedDevices, timedVariants } from './recorded-questions.ts';
import { timedShares, timesAt } from '../src/pages/watch/first-visit/visit-times.ts';
import type { Device } from '../src/state/devices/device.ts';
import { cases } from './scheduled.ts';

/*
 * One question has one answer: the time of a matrix in A and in B is the same number in Watch, Compare and Measure, for
 * every shape, density and number of tokens that was recorded.
 */

/** Size of an encoding that both pages are given, in bytes. Any number serves. */
const BYTES = 1_234_567;

/** The same times as if a software adapter of this computer had taken them. */
function inSoftware(device: Device): Device {
  return {
    ...device,
    id: 'this',
    kind: 'this',
    label: `${device.label}, as if in software`,
    reports: device.reports.map((report) => ({ ...report, environment: { ...report.environment, isFallback: true } })),
    roofs: null,
    isSoftware: true,
  };
}

/** The times of A and B in Compare's table, each as [measured, lower bound] in ns. */
function comparedTimes(
  device: Device,
  query: TimedMatrix,
  variants: readonly StoredVariant[],
  [a, b]: readonly [StoredVariant, StoredVariant],
) {
  const measuredByKey = measuredRows(device.reports, query, variants, { a, b }, device.roofs);
  const { readGBps, dispatchNs } = device.roofs ?? { readGBps: null, dispatchNs: 0 };
  const ledger = { entries: [], totalBytes: BYTES, totalBits: { values: 0, indices: 0, metadata: 0, padding: 0 } };
  const summary = {
    support: { ok: true, notes: [] },
    ledger,
    violations: [],
    encodeMs: 0,
  } as unknown as EncodingSummary;
  const rows = matrixRows({
    variants,
    measurements: measuredByKey,
    readGBps,
    dispatchNs,
    tokens: query.tokens,
    examples: [],
    verifications: new Map(),
    summary: query as unknown as MatrixSummary,
    encodingOf: (stored) => ({ kind: 'ready', params: stored.params, summary }),
    verdictOf: () => null,
    bestOf: () => null,
  });
  return [a, b].map(({ key }) => {
    const row = rows.find((candidate) => candidate.key === key);
    return [row?.measuredNs ?? null, row?.minNs ?? null];
  });
}

/** Each recorded device, and again as if in software (in `npm test` only the first): only the label of the times differs. */
const DEVICES = [...recordedDevices, ...recordedDevices.slice(0, cases(1, recordedDevices.length)).map(inSoftware)];

describe.each(DEVICES)('times on $label', (device) => {
  const questions = timedMatrices(device);

  it('Watch, Compare and Measure show the same time for the same matrix, format and device', () => {
    let comparedCount = 0;
    for (const query of questions) {
      const variants = timedVariants(device.reports, query);
      const roofs = device.roofs;
      for (const [i, a] of variants.entries()) {
        const b = variants[(i + 1) % variants.length];
        const { pair } = timesWith(query, queryOf(a), queryOf(b))(device);
        const measuredTimes = [pair.a, pair.b].map((side) => [
          side?.row.medianNs ?? null,
          timeBound(productBytes(side, BYTES, query), roofs)?.ns ?? null,
        ]);
        const what = `${query.rows} x ${query.cols}, ${query.density}, ${a.key}, ${b.key}`;
        expect(comparedTimes(device, query, variants, [a, b]), what).toEqual(measuredTimes);

        const sides = [a, b].map(({ format, stored: { params } }) => ({ format, params, bytes: BYTES }));
        const shares = timedShares(query.tokens === 1 ? device.reports : [], {
          matrix: query,
          a: sides[0],
          b: sides[1],
        });
        const watched = timesAt(shares, { matrix: query, bytesAt: () => BYTES });
        // Between two timed densities Watch interpolates, and marks the time as computed.
        if (watched === null || watched.isComputed) continue;
        comparedCount++;
        expect([watched.a, watched.b], what).toEqual([pair.a?.row.medianNs, pair.b?.row.medianNs]);
      }
    }
    expect(comparedCount).toBeGreaterThan(60);
  });

  it('the curves of Compare pass through the speeds that Measure shows', () => {
    const dense = {
      format: 'dense',
      params: { valueType: 'f16' },
      spec: formats.find(({ id }) => id === 'dense')?.params ?? {},
    };
    let comparedCount = 0;
    for (const query of questions.filter(({ tokens }) => tokens === 1)) {
      for (const variant of timedVariants(device.reports, query)) {
        const { speed } = timesWith(query, queryOf(variant), dense)(device);
        const points = measuredSpeeds(device.reports, query, queryOf(variant), dense);
        const point = points.find(({ density }) => Math.abs(density - query.density) < 0.004 * query.density);
        const what = `${query.rows} x ${query.cols}, ${query.density}, ${variant.key}`;
        const { pair } = timesWith(query, queryOf(variant), dense)(device);
        if (pair.a?.report !== pair.b?.report) continue;
        expect(point && [point.ratio, point.p10], what).toEqual(speed && [speed.ratio, speedRange(speed)[0]]);
        comparedCount += speed ? 1 : 0;
      }
    }
    expect(comparedCount).toBeGreaterThan(60);
  });

  it('a table contains the times of one run, and marks times of other runs', () => {
    let otherRunCount = 0;
    for (const query of questions) {
      const variants = timedVariants(device.reports, query);
      for (const [i, a] of variants.entries()) {
        const b = variants[(i + 1) % variants.length];
        const rows = measuredRows(device.reports, query, variants, { a, b }, device.roofs);
        const timedRows = [...rows.values()].filter(({ timedRow: { row } }) => row.medianNs !== null);
        expect(
          new Set(timedRows.filter(({ isOtherRun }) => !isOtherRun).map((row) => row.timedRow.report)).size,
        ).toBeLessThan(2);
        otherRunCount += timedRows.filter(({ isOtherRun }) => isOtherRun).length;
      }
    }
    expect(otherRunCount).toBeGreaterThan(0);
  });
});

it.each(recordedDevices)('no time bound on $label is shorter than an empty dispatch', (device) => {
  const { dispatchNs = 0 } = device.roofs ?? {};
  expect(dispatchNs).toBeGreaterThan(1000);
  for (const bytes of [0, 60, 9600, 4_000_000]) {
    expect(timeBound(bytes, device.roofs)?.ns).toBeGreaterThanOrEqual(dispatchNs);
  }
  expect(timeBound(60, device.roofs)?.cause).toBe('dispatch');
});

it('the first visit states dense in 4 bits as in the run of its times', () => {
  let comparedCount = 0;
  for (const query of timedMatrices(recordedDevices[0])) {
    const [macko, dense] = ['macko', 'dense'].map((id) => formats.find((format) => format.id === id) ?? formats[0]);
    const [a, b] = [
      { format: macko, params: { deltaBits: 4, valueType: 'f16' }, bytes: 1 },
      { format: dense, params: { valueType: 'f16' }, bytes: 1 },
    ];
    const unpruned = { bits: 4, bytes: 1, params: { valueType: 'i4' } };
    const watched = timesAt(timedShares(recordedDevices[0].reports, { matrix: query, a, b, unpruned }), {
      matrix: query,
      bytesAt: () => 1,
    });
    if (!watched || watched.isComputed) continue;
    const denseInt4Rows = watched.report.rows.filter(
      ({ format, params, verified, medianNs }) =>
        format === 'dense' && params.valueType === 'i4' && verified.ok && medianNs !== null,
    );
    const best = denseInt4Rows.length === 0 ? null : Math.min(...denseInt4Rows.map(({ medianNs }) => medianNs ?? 0));
    // A run without dense i4 is completed by a run at another density, on which the time of dense does not depend.
    if (best !== null) expect(watched.unpruned).toBe(best);
    comparedCount += best === null ? 0 : 1;
  }
  expect(comparedCount).toBeGreaterThan(3);
});

it('the first visit and Measure show 24.0 and 30.4 µs of one run of the H200, whichever report is newer', () => {
  const device = recordedDevices.find(({ name }) => name === 'NVIDIA H200');
  const [a, b] = [
    { format: 'macko', params: { deltaBits: 4, valueType: 'f16' } },
    { format: 'dense', params: { valueType: 'f16' } },
  ].map((stored) => ({ ...stored, spec: formats.find(({ id }) => id === stored.format)?.params ?? {} }));
  const matrix = { rows: 4096, cols: 14_336, nnz: 29_360_128, density: 0.5, tokens: 1, names: [], isEstimated: true };
  const { pair } = timesWith({ ...matrix, isEven: false }, a, b)(device as Device);
  expect([pair.a?.row.medianNs, pair.b?.row.medianNs]).toEqual([23_970, 30_354]);
  // The newest report of dense is one of evenly pruned weights, which this matrix has not.
  const denseOnly = timesWith({ ...matrix, isEven: false }, b, null)(device as Device);
  expect(denseOnly.pair.a?.row.medianNs).toBe(30_354);
  expect(timesWith({ ...matrix, isEven: true }, b, null)(device as Device).pair.a?.row.medianNs).toBe(30_407);
});
