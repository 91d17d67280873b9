import { describe, expect, it } from 'vitest';
import { H200_LLAMA_2_7B, modelReport, modelRow } from '../../../../test/model-reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formatById } from '../../../formats/registry.ts';
import type { ModelFormat } from '../../../theory/models/model-bytes.ts';
import { KNOWN_MODELS } from '../../../theory/models/known-models.ts';
import type { ShapeQuery } from '../../../kit/report/measured-shapes.ts';
import { measuredCurve, modelView, type DeviceSpeed, tokenFacts } from './model-view.ts';
import { layerBars } from '../details/layers/LayersDetails.tsx';
import { modelRequest, patternFor } from './model-request.ts';

const [LLAMA_2_7B] = KNOWN_MODELS;
const macko = formatById('macko');
const dense = formatById('dense');
const PARAMS = { deltaBits: 4, valueType: 'f16' };
const STORED: ModelFormat = { format: macko, params: PARAMS, fusion: 'separate', keepHead: false };
const QUERY: ShapeQuery = {
  operation: 'spmv',
  tokens: 1,
  stored: { format: 'macko', params: PARAMS },
  dense: { format: 'dense', params: { valueType: 'f16' } },
  hasKernel: true,
  device: 'NVIDIA H200',
};

const REPORTS = H200_LLAMA_2_7B.map((args) => modelReport(...args));

const DEVICE_SPEED: DeviceSpeed = { readGBps: 4593, dispatchNs: 1260, from: 'measured' };
const view = (
  reports: readonly BenchReport[],
  density = 0.5,
  modelFormat = STORED,
  query = QUERY,
  deviceSpeed: DeviceSpeed | null = reports.length > 0 ? DEVICE_SPEED : null,
) => {
  const result = modelView(LLAMA_2_7B, { ...modelFormat, density }, reports, { ...query, density }, deviceSpeed);
  if (!result) throw new Error('no closed form');
  return result;
};

describe('a model that was measured', () => {
  it('the time of a token is the sum of the times of the model’s matrices', () => {
    const { denseTime, storedTime, measuredShapes, matrices } = view(REPORTS);
    expect([matrices, measuredShapes]).toEqual([225, 4]);
    expect(denseTime).toEqual({
      ns: expect.closeTo(128 * 10_920 + 64 * 23_300 + 32 * 24_600 + 61_000, 3),
      from: 'measured',
    });
    expect(storedTime).toEqual({
      ns: expect.closeTo(128 * 10_590 + 64 * 23_100 + 32 * 20_000 + 52_000, 3),
      from: 'measured',
    });
  });

  it('measurements are found if their index bits are those derived from the shape, and not if they differ', () => {
    const withBits = (indexBits: number): readonly BenchReport[] =>
      REPORTS.map((report) => ({
        ...report,
        rows: report.rows.map((row) =>
          row.format === 'macko' ? { ...row, format: 'csr', params: { valueType: 'f16', indexBits } } : row,
        ),
      }));
    const params = { valueType: 'f16', indexBits: 'auto' };
    const csrFormat: ModelFormat = { ...STORED, format: formatById('csr'), params };
    const query: ShapeQuery = { ...QUERY, stored: { format: 'csr', params } };
    expect(view(withBits(16), 0.5, csrFormat, query).storedTime?.from).toBe('measured');
    expect(view(withBits(32), 0.5, csrFormat, query).storedTime?.from).not.toBe('measured');
  });

  it('the model keeps lm_head dense if requested, with its dense time from any density', () => {
    const withDenseHead = view(REPORTS, 0.5, { ...STORED, keepHead: true });
    expect(withDenseHead.storedTime?.ns).toBeCloseTo(128 * 10_590 + 64 * 23_100 + 32 * 20_000 + 61_000, 3);
    const withOtherDensity = view(REPORTS.slice(0, 3).concat(REPORTS[7]), 0.5, { ...STORED, keepHead: true });
    expect(withOtherDensity.storedTime).toEqual(withDenseHead.storedTime);
  });

  it('a view computes missing times from bytes, and counts the measured shapes', () => {
    const partlyMeasured = view(REPORTS.slice(0, 3));
    expect(partlyMeasured.storedTime?.from).toBe('predicted');
    expect(partlyMeasured.lines[3].storedTime).toEqual({
      ns: expect.closeTo((32000 * 4096 * 1.25) / 4593, -2),
      from: 'predicted',
    });
    expect(partlyMeasured.measuredShapes).toBe(3);
  });

  it('the facts of a token name no figure twice: dense is listed once', () => {
    const denseFormat: ModelFormat = { ...STORED, format: dense, params: { valueType: 'f16' } };
    const query: ShapeQuery = { ...QUERY, stored: { format: 'dense', params: { valueType: 'f16' } } };
    for (const [modelInFormat, title] of [
      [view(REPORTS), 'MACKO'],
      [view(REPORTS, 0.5, denseFormat, query), 'dense'],
      [view(REPORTS, 0.5, { ...denseFormat, params: { valueType: 'i8' } }, query), 'dense i8'],
    ] as const) {
      const names = tokenFacts(modelInFormat, title).map(([name]) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(names).toContain('time, dense');
    }
  });

  it('a model has no time without a measurement or a read speed', () => {
    const withoutTimes = view([]);
    expect([withoutTimes.denseTime, withoutTimes.storedTime, withoutTimes.limitNs, withoutTimes.deviceSpeed]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(tokenFacts(withoutTimes, 'MACKO').map(([name]) => name)).toEqual(['matrices', 'read, dense', 'read, MACKO']);
  });

  it('a view predicts times from a published read speed, and its facts name the source', () => {
    const deviceSpeed = { readGBps: 1008.1, dispatchNs: 0, from: 'published' as const };
    const query = { ...QUERY, density: 0.5, device: 'RTX 4090' };
    const predictedView = modelView(LLAMA_2_7B, { ...STORED, density: 0.5 }, [], query, deviceSpeed);
    expect(predictedView?.storedTime?.from).toBe('predicted');
    expect(tokenFacts(predictedView ?? view([]), 'MACKO').at(-1)?.[0]).toBe('read speed, RTX 4090');
  });

  it('the predicted time of a shape is that of its bytes, or of starting its kernel if that is longer', () => {
    const model = KNOWN_MODELS.find(({ name }) => name === 'Qwen3-30B-A3B') ?? LLAMA_2_7B;
    const i4Format = { ...STORED, format: dense, params: { valueType: 'i4' }, keepHead: true, density: 1 };
    const i4View = modelView(model, i4Format, [], { ...QUERY, density: 1 }, { ...DEVICE_SPEED, readGBps: 4520 });
    const lineOf = (name: string) =>
      i4View?.lines.find(({ group }) => group.parts.some((p) => p.names.includes(name as never)));
    // 8 gates and 8 ups of 768 × 2048 are started at once, and 8 downs: their bytes take longer.
    const [up, down] = [(768 * 2048 * 0.5625) / 4520, (2048 * 768 * 0.5625) / 4520];
    expect([16 * up > 1260, 8 * down > 1260]).toEqual([true, true]);
    expect(lineOf('expert_up')).toMatchObject({
      limitNs: expect.closeTo(up, 0),
      storedTime: { from: 'predicted', ns: expect.closeTo(up, 0) },
    });
    expect(lineOf('expert_down')?.storedTime?.ns).toBeCloseTo(down, 0);
    // Reading k of 512 × 2048 needs 0.13 µs; it also has its own kernel start.
    expect(lineOf('k')).toMatchObject({
      limitNs: expect.closeTo((512 * 2048 * 0.5625) / 4520, 0),
      storedTime: { from: 'predicted', ns: 1260 },
    });
    expect(tokenFacts(i4View ?? view([]), 'dense i4').at(-1)).toEqual([
      'starting kernels, not in the limit',
      '337 × 1.26\u202fµs',
    ]);
  });

  it('a view ignores times of another density, memory, pattern or operation, and of wrong kernels', () => {
    const [first] = REPORTS;
    const { workload } = first;
    const otherReports: readonly BenchReport[] = [
      modelReport(4096, 4096, 0.51, [10, 10]),
      { ...first, workload: { ...workload, memory: 'warm' } },
      { ...first, workload: { ...workload, source: 'row-skewed, density 0.5, seed 1' } },
      { ...first, workload: { ...workload, operation: 'gemm', sizes: { tokens: 1 } } },
      { ...first, workload: { ...workload, sizes: { tokens: 16 } } },
    ];
    for (const report of otherReports) {
      expect(view([report]).lines[0].measurement?.stored ?? null).toBeNull();
    }
    const wrongReport = { ...first, rows: [first.rows[0], modelRow('macko', PARAMS, 1, false)] };
    const { lines } = view([wrongReport]);
    expect(lines[0].measurement?.stored).toBeNull();
    expect(lines[0].rejection).toBe('macko/spmv computed wrong results on this GPU; it is not timed');
  });

  it('a curve has the densities at which every shape was measured', () => {
    const curve = measuredCurve(LLAMA_2_7B, STORED, REPORTS.slice(0, 7), QUERY);
    expect(curve.map(({ density }) => density)).toEqual([0.5]);
    const curveOfAll = measuredCurve(LLAMA_2_7B, STORED, REPORTS, QUERY);
    expect(curveOfAll.map(({ density }) => density)).toEqual([0.5, 0.8]);
  });

  it('measured speeds stay below the limit by bytes', () => {
    for (const { density, tokensPerSecond } of measuredCurve(LLAMA_2_7B, STORED, REPORTS, QUERY)) {
      expect(tokensPerSecond).toBeLessThan(1e9 / (view(REPORTS, density).limitNs ?? 0));
    }
  });
});

it('the request for a model has each shape once, with dense and the format; large shapes have repeated rows', () => {
  const { request, axis } = modelRequest({
    groups: view([], 0.5, { ...STORED, keepHead: true }).lines.map(({ group }) => group),
    density: 0.5,
    tokens: 1,
    stored: [{ format: macko, params: PARAMS }],
    reference: dense,
    referenceParams: { valueType: 'f16' },
  });
  expect(request).toMatchObject({ operation: 'spmv', memory: 'cold', where: 'gpu', sizes: {} });
  if (axis.of !== 'shape') throw new Error(axis.of);
  expect(axis.values.map(({ rows, cols }) => `${rows} ${cols}`)).toEqual([
    '4096 4096',
    '11008 4096',
    '4096 11008',
    '32000 4096',
  ]);
  expect(axis.values.map(({ entries }) => entries.map(({ format }) => format).join())).toEqual([
    'dense,macko',
    'dense,macko',
    'dense,macko',
    'dense',
  ]);
  expect(request.workload).toMatchObject({ spec: { pattern: 'uniform', density: 0.5 } });
  expect(axis.values.every(({ cols, distinctRows }) => (distinctRows ?? 0) * cols <= 2 ** 24 + cols)).toBe(true);
});

it('the request for a format that requires N:M has matrices in that pattern', () => {
  const groups = view([]).lines.map(({ group }) => group);
  const slidesparse = formatById('slidesparse');
  const patternAt = (density: number) =>
    patternFor({ stored: [{ format: slidesparse, params: { halfGroup: 4, valueType: 'f16' } }], density, groups });
  expect(patternAt(0.75)).toEqual({ pattern: 'n-of-m', options: { m: 4 } });
  expect([patternAt(0.5), patternAt(0.01)]).toEqual([{ pattern: 'n-of-m', options: { m: 2 } }, { pattern: 'uniform' }]);
  expect(patternFor({ stored: [{ format: macko, params: PARAMS }], density: 0.5, groups })).toEqual({
    pattern: 'uniform',
  });
});

it('a view of a prompt has dense times alone if the format has no kernel, and names that reason', () => {
  const query: ShapeQuery = { ...QUERY, operation: 'gemm', tokens: 64, hasKernel: false };
  const prompt = REPORTS.slice(0, 4).map((item): BenchReport => ({
    ...item,
    workload: { ...item.workload, operation: 'gemm', sizes: { tokens: 64 } },
    rows: item.rows.slice(0, 1),
  }));
  const promptView = view(prompt, 0.5, STORED, query);
  expect([promptView.measuredShapes, promptView.denseTime?.from, promptView.storedTime]).toEqual([0, 'measured', null]);
  expect(promptView.denseTime?.ns).toBeCloseTo(128 * 10_920 + 64 * 23_300 + 32 * 24_600 + 61_000, 3);
  const { byTime, shapes } = layerBars(promptView);
  expect(byTime).toBe(true);
  expect(shapes.map(({ stored, line }) => [stored?.text, line.rejection])).toEqual(
    Array.from({ length: 4 }, () => ['', 'no kernel for this many tokens']),
  );
});
