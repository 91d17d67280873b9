import { BY_BYTES, speedFromTimes } from '../kit/words/speed-of.ts';
import { useMemo, useState } from 'react';
import { useDocument } from '../kit/app-context.ts';
import { Chart } from '../kit/charts/Chart.tsx';
import type { Axis } from '../kit/charts/axis.ts';
import type { ChartLabel, ChartNote } from '../kit/charts/ChartWords.tsx';
import { linearSteps } from '../kit/charts/cursor.ts';
import { FiguresTable } from '../kit/charts/ChartFoot.tsx';
import type { Series } from '../kit/charts/series.ts';
import { Swatch } from '../kit/controls/Swatch.tsx';
import { cssColorOf } from '../kit/format-color.ts';
import { Note } from '../kit/primitives/Text.tsx';
import { useDecodeReports } from '../kit/report/use-decode-reports.ts';
import { useTitleOf } from '../kit/report/report-labels.ts';
import { percent, ratio } from '../kit/words/quantity.ts';
import { type Device, adapterName, REFERENCE_FORMAT } from '../state/index.ts';
import { modelGain, PUBLISHED_GAINS, type ModelGain, type GainGroup, gainWithPrediction } from './model-gains.ts';
import { densityText } from '../kit/words/shares.ts';
import { smallest } from '../core/number/statistics.ts';
import { GATE, UP_DOWN } from '../core/operations/index.ts';
import type { BenchReport } from '../core/report.ts';
import type { DecodeReport } from '../core/reports/decode-report.ts';
import { WHOLE_BLOCK } from '../kit/report/operation-words.ts';
import { sortedRows, type TitleOf } from '../kit/report/report-view.ts';
import prefillI8 from '../theory/models/prefill-i8.json';
import wholePrefill from './whole-prefill.json';
import wholeTokens from './whole-tokens.json';

/** Distance between the points of a curve, as a share of the time. */
const STEP = 0.01;
/** Gains of kernels for which a curve is drawn; Infinity: matrix products take no time. */
const KERNEL_GAINS = [1.35, 2, 4, Infinity];
const MAX_GAIN = 4;

const SHARE: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  text: (share) => percent(share, 0),
  title: 'share of the time that is products',
};
const GAIN: Axis = {
  scale: 'linear',
  // From 0.75, so that names fit below 1.
  domain: [0.75, MAX_GAIN],
  ticks: [1, 2, 3, 4],
  text: (gain) => `${gain}×`,
  title: 'model, times as fast',
};

const nameOf = (gain: number): string => (gain === Infinity ? 'a kernel in no time' : `kernel ${gain}×`);

const CURVES: readonly Series[] = KERNEL_GAINS.map((gain) => ({
  id: nameOf(gain),
  kind: 'limit',
  // The curve of Infinity has its name in LABELS, since it ends above the chart.
  title: gain === Infinity ? null : nameOf(gain),
  color: 'var(--text-muted)',
  points: Array.from({ length: 101 }, (_, i) => ({ x: i * STEP, y: modelGain(i * STEP, gain) })).filter(
    ({ y }) => y <= MAX_GAIN,
  ),
}));

/**
 * A dot ('encoded') for each gain measured here and a square for each published gain, dashed if it is estimated by bytes;
 * a line from its prediction to it.
 */
const pointsOf = (gains: readonly ModelGain[]): readonly Series[] =>
  gains.flatMap(({ name, format, isOurs, share, predicted, gainOfModel, isByBytes = false }): readonly Series[] => {
    const common = { id: name, title: null, color: cssColorOf(format) };
    const [predictedPoint, point] = [predicted, gainOfModel].map((y) => ({ x: share, y }));
    return [
      { ...common, kind: 'predicted', join: 'straight', points: [predictedPoint, point] },
      { ...common, kind: isOurs ? 'encoded' : 'published', dashed: isByBytes, points: [point] },
    ];
  });

const LABELS: readonly ChartLabel[] = [{ x: 0.45, y: modelGain(0.45, Infinity), text: nameOf(Infinity) }];

/** The name of each group at its first point, the lowest first. */
const groupNames = (groups: readonly GainGroup[]): readonly ChartNote[] =>
  groups
    .map(({ points: [first] }) => ({
      x: first.share,
      y: first.gainOfModel,
      text: first.name.split(/[ ,]/)[0],
      color: cssColorOf(first.format),
    }))
    .toSorted((a, b) => a.y - b.y);

/** The groups with points of a format before the others. */
function formatFirst(format: string, groups: readonly GainGroup[]): readonly GainGroup[] {
  const hasFormat = ({ points }: GainGroup): boolean => points.some((point) => point.format === format);
  return groups.toSorted((a, b) => Number(hasFormat(b)) - Number(hasFormat(a)));
}

/** Chart of Amdahl's law: how much faster a kernel for matrix products makes a model, in papers and measured here. */
export function ModelGainsView({ device }: { readonly device: Device }) {
  const titleOf = useTitleOf();
  const decodes = useDecodeReports();
  const format = useDocument((doc) => doc.format);
  const groups = useMemo(
    () =>
      formatFirst(
        format,
        [
          ...measuredTokens(decodes, titleOf),
          measuredPrefill(titleOf),
          ...measuredPrefillI8(titleOf),
          measuredBlocks(device, titleOf) ?? [],
          ...PUBLISHED_GAINS,
        ].flat(),
      ),
    [decodes, device, titleOf, format],
  );
  const points = groups.flatMap((group) => group.points);
  const [share, setShare] = useState(0.6);
  const gains = KERNEL_GAINS.map((gain) => `${nameOf(gain)}: ${ratio(modelGain(share, gain))}`);
  const spoken = `Products are ${percent(share, 0)} of the time. The model is faster with ${gains.join(', ')}.`;
  return (
    <div className="paper-tables">
      <p role="status">
        Products take {percent(share, 0)} of the time. A kernel twice as fast makes the model{' '}
        <strong>{ratio(modelGain(share, 2))}</strong> as fast. One that takes no time makes it{' '}
        {ratio(modelGain(share, Infinity))}.
      </p>
      <Chart
        id="kernel-to-model"
        heading={{
          title: 'From the kernel to the model',
          caption: `dots measured, squares published (dashed outline: kernel ${BY_BYTES}), dashed lines from the prediction`,
        }}
        spoken={spoken}
        x={SHARE}
        y={GAIN}
        series={[...CURVES, ...pointsOf(points)]}
        notes={groupNames(groups)}
        labels={LABELS}
        cursor={{ x: share, label: SHARE.title, text: percent(share, 0), step: linearSteps(STEP), onMove: setShare }}
        table={() => ({
          head: ['share', ...KERNEL_GAINS.map(nameOf)],
          rows: SHARE.ticks.map((tickShare) => ({
            name: percent(tickShare, 0),
            cells: KERNEL_GAINS.map((gain) => ratio(modelGain(tickShare, gain))),
            values: [tickShare, ...KERNEL_GAINS.map((gain) => modelGain(tickShare, gain))],
          })),
        })}
      />
      <FiguresTable
        caption="Gains of kernels and of their models"
        head={['model', 'products, share', 'kernel', 'model, predicted', 'model, in fact']}
        rows={points.map((point) => ({
          name: point.name,
          cells: [
            percent(point.share, 0),
            `${ratio(point.gainOfKernel)}${point.isByBytes ? ', by bytes' : ''}`,
            ratio(point.predicted),
            ratio(point.gainOfModel),
          ],
        }))}
      />
      {groups.map(({ title, how, points: [{ format }] }) => (
        <Note key={title}>
          <Swatch format={format} /> <strong>{title}.</strong> {how}
        </Note>
      ))}
    </div>
  );
}

/* Gains of kernels and of whole models that this page measured, for comparison with Amdahl’s law. */

/** The time of a token with the weights in a format, and of its matrix products. */
interface TokenRow {
  readonly format: string;
  /** value type, if not f16, and other names among its parameters; absent: the ones of the recording */
  readonly detail?: string;
  /** density: share of the weights kept */
  readonly density: number;
  readonly tokenMs: number;
  readonly productsMs: number;
}

/** A gain that this page measured, with its prediction. */
function measuredGain(...args: Parameters<typeof gainWithPrediction>): ModelGain {
  // bounded: the arguments of gainWithPrediction
  return { ...gainWithPrediction(...args), isOurs: true };
}

/** Gains of one model on one device over dense, its first row. */
function tokenGroup(
  model: string,
  gpu: string,
  [dense, ...otherRows]: readonly TokenRow[],
  titleOf: TitleOf,
): GainGroup {
  const share = dense.productsMs / dense.tokenMs;
  const points = otherRows.map(({ format, detail = '', density, tokenMs, productsMs }): ModelGain => {
    const name = `here, ${titleOf(format)}${detail}, ${densityText(density)} left`;
    return measuredGain(name, format, share, dense.productsMs / productsMs, dense.tokenMs / tokenMs);
  });
  return { title: `${model} on ${gpu}, measured by this page`, how: 'Products were timed inside the token.', points };
}

/** Gains of single tokens: recorded gains, and those in reports of this browser in which all products were timed. */
export function measuredTokens(reports: readonly DecodeReport[], titleOf: TitleOf): readonly GainGroup[] {
  const byModelAndDevice = new Map<string, { model: string; gpu: string; rows: Map<string, TokenRow> }>();
  for (const { model, environment, format, params, density, runs, ok } of reports) {
    const run = runs.find(({ context }) => context === 0);
    if (!ok || !run?.times || !run.msPerToken || environment.isFallback) continue;
    const { matrices, head } = run.times.kinds;
    const row = {
      format,
      detail: Object.values(params)
        .flatMap((value) => (typeof value === 'string' && value !== 'f16' ? ` ${value}` : []))
        .join(''),
      density,
      tokenMs: run.msPerToken.median,
      productsMs: ((matrices?.ns ?? Number.NaN) + (head?.ns ?? Number.NaN)) / 1e6,
    };
    // If products take longer than the token, the GPU changed its clock between the two timings.
    if (!(row.productsMs < row.tokenMs) || (format === REFERENCE_FORMAT && params.valueType !== 'f16')) continue;
    const gpu = adapterName(environment);
    const key = `${model.name} on ${gpu}`;
    const deviceRows = byModelAndDevice.get(key) ?? { model: model.name, gpu, rows: new Map<string, TokenRow>() };
    const rowKey = format === REFERENCE_FORMAT ? format : `${format}${row.detail} ${density}`;
    // The newest report comes first, and its row stays.
    if (!deviceRows.rows.has(rowKey)) deviceRows.rows.set(rowKey, row);
    byModelAndDevice.set(key, deviceRows);
  }
  const groups = [...byModelAndDevice.values()].flatMap(({ model, gpu, rows }): readonly GainGroup[] => {
    const dense = rows.get(REFERENCE_FORMAT);
    const otherRows = [...rows.values()].filter((row) => row !== dense);
    return dense && otherRows.length > 0 ? [tokenGroup(model, gpu, [dense, ...otherRows], titleOf)] : [];
  });
  return [...groups, tokenGroup(wholeTokens.model, wholeTokens.on, wholeTokens.rows, titleOf)];
}

/** Gains of a whole model for many tokens at once, with its feed-forward blocks stored in formats. */
export function measuredPrefill(titleOf: TitleOf): GainGroup {
  const { model, on, tokens, restMs, rows } = wholePrefill;
  const [dense, ...otherRows] = rows;
  const share = (dense.ms - restMs) / dense.ms;
  return {
    title: `${model}, ${tokens.toLocaleString('en')} tokens at once on ${on}, measured by this page`,
    how: 'The share is that of the feed-forward blocks. Dense runs without tensor cores.',
    points: otherRows.map(({ format, ms }): ModelGain => {
      const gainOfKernel = (dense.ms - restMs) / (ms - restMs);
      return measuredGain(`here, whole model, ${titleOf(format)}`, format, share, gainOfKernel, dense.ms / ms);
    }),
  };
}

/** Gains of many tokens at once in i8, weights in 2:4 windows, on dense tensor cores: WebGPU has no sparse ones. */
export function measuredPrefillI8(titleOf: TitleOf): readonly GainGroup[] {
  const { on, model, at } = prefillI8;
  return at.map(({ tokens, rows }) => {
    const [dense, ...otherRows] = rows.filter(({ valueType }) => valueType === 'i8');
    const share = dense.productMs / dense.ms;
    return {
      title: `${model}, ${tokens.toLocaleString('en')} tokens at once in i8 on ${on}, measured by this page`,
      how: 'On tensor cores, which multiply zeros too.',
      points: otherRows.map(({ format, ms, productMs, ...row }): ModelGain => {
        const name = `here, i8, ${titleOf(format)} ${'pattern' in row ? row.pattern : ''}`;
        return measuredGain(name, format, share, dense.productMs / productMs, dense.ms / ms);
      }),
    };
  });
}

/** Operations: a whole feed-forward block, and its two parts. */
const PARTS = [WHOLE_BLOCK, GATE.id, UP_DOWN.id];

/** Relative error of a prediction above which a text explains it. */
const MAX_UNEXPLAINED_ERROR = 0.03;

/** Gains of feed-forward blocks for which a device has timed the whole and both parts. O(reports × rows). */
export function measuredBlocks({ reports, name: deviceName }: Device, titleOf: TitleOf): GainGroup | null {
  const blocks = new Map<string, Map<string, BenchReport>>();
  for (const report of reports) {
    const { operation, rows, cols, nnz, sizes, memory } = report.workload;
    if (!PARTS.includes(operation) || report.environment.isFallback) continue;
    const key = JSON.stringify([rows, cols, nnz, sizes, memory]);
    const parts = blocks.get(key) ?? new Map<string, BenchReport>();
    blocks.set(key, parts.has(operation) ? parts : parts.set(operation, report));
  }
  const points = [...blocks.values()].flatMap((parts): readonly ModelGain[] => {
    const [wholeReport, gateReport, upDownReport] = PARTS.map((id) => parts.get(id));
    if (!wholeReport || !gateReport || !upDownReport) return [];
    const formats = new Set(
      wholeReport.rows.map(({ format }) => format).filter((format) => format !== REFERENCE_FORMAT),
    );
    const [denseNs, denseGateNs, denseUpDownNs] = [wholeReport, gateReport, upDownReport].map((report) =>
      nsOf(report, REFERENCE_FORMAT),
    );
    return [...formats].flatMap((format): readonly ModelGain[] => {
      const [wholeNs, upDownNs] = [nsOf(wholeReport, format), nsOf(upDownReport, format)];
      // A format without a gate kernel encodes the result of the dense gate.
      const gateNs = nsOf(gateReport, format) || denseGateNs;
      const share = denseUpDownNs / (denseGateNs + denseUpDownNs);
      const gainOfKernel = denseUpDownNs / upDownNs;
      const predicted = 1 / (((1 - share) * gateNs) / denseGateNs + share / gainOfKernel);
      const gainOfModel = speedFromTimes(wholeNs, denseNs).ratio;
      const { nnz, rows } = wholeReport.workload;
      const name = `block, ${titleOf(format)}, ${Math.round(nnz / rows)} non-zeros`;
      return predicted > 0 && gainOfModel > 0
        ? [{ name, format, isOurs: true, share, gainOfKernel, predicted, gainOfModel }]
        : [];
    });
  });
  if (points.length === 0) return null;
  const hasLargeError = points.some(
    ({ gainOfModel, predicted }) => Math.abs(gainOfModel / predicted - 1) > MAX_UNEXPLAINED_ERROR,
  );
  const how = 'The share is that of up and down.';
  const why = ` More than ${percent(MAX_UNEXPLAINED_ERROR, 0)} off, something between the parts counts, such as conversion.`;
  return {
    title: `Feed-forward blocks on ${deviceName}, measured by this page`,
    how: hasLargeError ? how + why : how,
    points,
  };
}

/** Nanoseconds of the fastest correct kernel of a format; NaN if it has none. */
function nsOf(report: BenchReport, format: string): number {
  const times = sortedRows(report)
    .filter((row) => row.format === format && row.verified.ok && !row.draft)
    .flatMap(({ medianNs }) => medianNs ?? []);
  return times.length === 0 ? Number.NaN : smallest(times);
}
