import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../../core/report.ts';
import {
  DENSE_ROW,
  gemmReport,
  REPORT,
  SOFTWARE_REPORT,
  TIMED_SOFTWARE_REPORT,
  timedRow,
} from '../../../../test/reports.ts';
import { adapterName } from '../../../state/devices/adapter-name.ts';
import { devicesOf } from '../../../state/devices/devices.ts';
import { measuredRoofs } from '../../../state/devices/roofs.ts';
import { roofDevice } from './use-roofline.ts';
import {
  choiceOf,
  choiceOfFormat,
  chosenPoint,
  fastestOfFormats,
  keyOf,
  measuredPoints,
  predictedPoint,
  shareOfRoof,
  rooflineMatrices,
} from './roof-points.ts';
import { roofText, roofSteps } from './roof-words.ts';

const PEAK = 31_400;
const adapter = adapterName(REPORT.environment);
const spmv: BenchReport = { ...REPORT, peakGFMAps: PEAK };
const [rooflineMatrix] = rooflineMatrices([spmv]);
const roofs = measuredRoofs([spmv]) ?? { readGBps: 1, peakGMAps: {}, dispatchNs: 0 };
const points = measuredPoints([spmv], rooflineMatrix, roofs);
const text = (words: readonly { readonly text: string }[]): string => words.map((w) => w.text).join('');

describe('roofs of runs', () => {
  it('roofs come from the newest run of the GPU that has them', () => {
    const olderReport = {
      ...gemmReport(64, 1.2),
      readBandwidthGBps: 1,
      peakI8GMAps: 58_000,
      peakI8MatrixGMAps: 600_000,
    };
    expect(measuredRoofs([spmv, olderReport])).toEqual({
      readGBps: 4220,
      peakGMAps: { f32: PEAK, i8: 58_000, 'i8-matrix': 600_000 },
      dispatchNs: 1200,
    });
    for (const report of [SOFTWARE_REPORT, TIMED_SOFTWARE_REPORT]) expect(measuredRoofs([report])).toBeNull();
  });
  it('roofs come from the timed device, or from the first device with roofs if it has none', () => {
    const sources = { status: null, recorded: [], loaded: {}, deviceChoice: '' };
    const devices = devicesOf({ ...sources, reports: [spmv] });
    const deviceOf = (id: string, all = devices) => {
      const device = all.find((candidate) => candidate.id === id);
      return device && roofDevice(device, all);
    };
    expect(deviceOf(`report:${adapter}`)).toMatchObject({ name: adapter, origin: 'report', roofs: { readGBps: 4220 } });
    expect(deviceOf('this')).toMatchObject({ name: adapter, origin: 'report' });
    expect(deviceOf('this', devicesOf({ ...sources, reports: [] }))).toMatchObject({
      id: 'h200-measured',
      origin: 'measured',
    });
    expect(deviceOf('rtx-4090')).toMatchObject({ origin: 'data sheet', roofs: { readGBps: 1008 } });
    const deviceChoice = 'typed:100,2';
    expect(deviceOf(deviceChoice, devicesOf({ ...sources, reports: [], deviceChoice }))?.roofs).toEqual({
      readGBps: 100,
      peakGMAps: { f32: 1000 },
      dispatchNs: 0,
    });
  });
  it('roofs are missing if no device has any, which is an error', () => {
    const sources = { status: null, recorded: [], loaded: {}, deviceChoice: '', reports: [] };
    const [here] = devicesOf(sources).filter(({ roofs: deviceRoofs }) => deviceRoofs === null);
    expect(() => roofDevice(here, [here])).toThrow(
      `roofs: found none of ${here.name} nor of 1 others, expected those of one device`,
    );
  });
});

describe('points of runs', () => {
  it('points of runs are the correct and timed kernels, on this matrix alone', () => {
    expect(points.map(({ format }) => format)).toEqual(['csr', 'dense', 'macko']);
    expect(measuredPoints([spmv], { ...rooflineMatrix, nnz: 1 }, roofs)).toEqual([]);
    expect(keyOf(rooflineMatrix)).toBe('12288x12288-45298483');
  });
  it('points reach the report’s share of the read speed', () => {
    for (const point of points) {
      const row = spmv.rows.find(({ kernel }) => kernel === point.kernelId);
      expect(shareOfRoof(point)).toBeCloseTo((row?.GBps ?? 0) / 4220, 10);
      expect(point.gflops / point.roofGflops).toBeCloseTo(shareOfRoof(point) ?? 0, 10);
    }
  });
  it('points of runs are never above the roof of their arithmetic: products in i8 have a separate one', () => {
    const [dense] = gemmReport(2048, 1).rows;
    // 43.4 T multiply-adds per second, from docs/performance-lessons.md: above the roof of f32.
    const row = { ...dense, arithmetic: 'i8' as const, multiplyAdds: 43_400 * (dense.medianNs ?? 1) };
    const report = { ...gemmReport(2048, 1), peakGFMAps: PEAK, peakI8GMAps: 58_350, rows: [row] };
    const [matrix] = rooflineMatrices([report]);
    const reportRoofs = measuredRoofs([report]) ?? roofs;
    const [point] = measuredPoints([report], matrix, reportRoofs);
    expect(point.prediction.decides).toBe('arithmetic');
    expect(shareOfRoof(point)).toBeCloseTo(43_400 / 58_350, 3);
    expect(point.multiplyAdds / (point.measured?.ns ?? 1)).toBeGreaterThan(PEAK);
  });
});

describe('predictions', () => {
  const estimate = { format: 'x', params: {}, matrixBytes: 1e8, isCounted: false, multiplyAdds: rooflineMatrix.nnz };
  it('the predicted time is the time on the roof plus that of an empty dispatch', () => {
    const point = predictedPoint(estimate, rooflineMatrix, 1, roofs);
    expect(point.prediction.ns).toBeCloseTo((1e8 + 4 * 2 * 12_288) / 4220 + 1200, 6);
    expect(point.measured).toBeNull();
  });
  it('points distinguish dense in other value types from the baseline', () => {
    const vsDense = { reference: DENSE_ROW.kernel, valueType: 'f16', ratio: 2.4, p10: 2.4, p90: 2.4 };
    const fast = timedRow(DENSE_ROW.kernel, 'dense', 2.4, DENSE_ROW.bytes / 4);
    const i4 = { ...fast, params: { valueType: 'i4' }, vsDense };
    const report = { ...REPORT, rows: [DENSE_ROW, i4] };
    const visiblePoints = fastestOfFormats(measuredPoints([report], rooflineMatrix, roofs), 1);
    expect(visiblePoints.map(choiceOf).toSorted()).toEqual(['dense', 'dense-i4']);
    const i4Point = visiblePoints.find((p) => p.valueType === 'i4') ?? null;
    const f16Point = visiblePoints.find((p) => p.valueType === null) ?? null;
    const context = {
      rooflineMatrix,
      device: { name: adapter, roofs },
      isMeasured: true,
      titleOf: () => 'Dense',
    };
    expect(text(roofText(i4Point, f16Point, context))).toMatch(/Dense in i4 reads .* is 2\.40 times as fast as dense/);
  });
  it('points distinguish the value types of every format, and addresses without one still name a kernel', () => {
    const i8 = { ...timedRow('macko/spmv', 'macko', 1.9, DENSE_ROW.bytes / 3), params: { valueType: 'i8' } };
    const report = { ...REPORT, rows: [...REPORT.rows, i8] };
    const visiblePoints = fastestOfFormats(measuredPoints([report], rooflineMatrix, roofs), 1);
    expect(visiblePoints.map(choiceOf).toSorted()).toEqual(['csr', 'dense', 'macko', 'macko-i8']);
    const typeOf = (choice: string) => chosenPoint(visiblePoints, choice)?.params.valueType;
    expect([typeOf('macko'), typeOf('macko-i8'), typeOf('ell')]).toEqual(['f16', 'i8', undefined]);
    expect(choiceOfFormat('macko', { valueType: 'i8', deltaBits: 4 })).toBe('macko-i8');
    // Where only another type was timed.
    const i8Points = fastestOfFormats(measuredPoints([{ ...REPORT, rows: [DENSE_ROW, i8] }], rooflineMatrix, roofs), 1);
    expect(chosenPoint(i8Points, 'macko')?.params.valueType).toBe('i8');
  });
  it('a predicted point represents a format only if nothing of the format was measured', () => {
    const mackoPoint = predictedPoint({ ...estimate, format: 'macko', matrixBytes: 1 }, rooflineMatrix, 1, roofs);
    const otherPoint = predictedPoint(estimate, rooflineMatrix, 1, roofs);
    const visiblePoints = fastestOfFormats([mackoPoint, otherPoint, ...points], 1);
    expect(visiblePoints.map(({ format, measured }) => [format, measured !== null])).toEqual([
      ['x', false],
      ['macko', true],
      ['dense', true],
      ['csr', true],
    ]);
  });
});

describe('the texts', () => {
  const [, dense, macko] = points;
  it('the texts have six steps from the non-zeros to the time', () => {
    const steps = roofSteps(macko, dense, rooflineMatrix, roofs);
    expect(steps.map(({ id }) => id)).toEqual(['work', 'bytes', 'intensity', 'least', 'time', 'against']);
    expect(steps[0].formula).toMatch(/^2 × 45.298.483$/);
    expect(steps.at(-1)?.value).toBe('1.78×');
  });
});
