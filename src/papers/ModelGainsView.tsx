import { BY_BYTES } from '../kit/words/speed-of.ts';
import { useMemo, useState } from 'react';
import { useDocument } from '../kit/app-context.ts';
import { Chart } from '../kit/charts/Chart.tsx';
import type { Axis } from '../kit/charts/axis.ts';
import type { ChartLabel, ChartNote } from '../kit/charts/ChartNotes.tsx';
import { linearSteps } from '../kit/charts/cursor.ts';
import { FiguresTable } from '../kit/charts/FiguresTable.tsx';
import type { Series } from '../kit/charts/series.ts';
import { Swatch } from '../kit/controls/Swatch.tsx';
import { cssColorOf } from '../kit/format-color.ts';
import { Note } from '../kit/primitives/Text.tsx';
import { useDecodeReports } from '../kit/report/use-decode-reports.ts';
import { useTitleOf } from '../kit/report/report-labels.ts';
import { percent, ratio } from '../kit/words/quantity.ts';
import type { Device } from '../state/devices/device.ts';
import { measuredBlocks, measuredPrefill, measuredPrefillI8, measuredTokens } from './measured-gains.ts';
import { modelGain, PUBLISHED_GAINS, type ModelGain, type GainGroup } from './model-gains.ts';

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

/** Each gain as a dot (ours: 'encoded') or a square, with a line from its prediction; dashed if estimated by bytes. */
const pointsOf = (all: readonly ModelGain[]): readonly Series[] =>
  all.flatMap(({ name, format, isOurs, share, predicted, gainOfModel, isByBytes = false }): readonly Series[] => {
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
  const all = groups.flatMap(({ points }) => points);
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
        series={[...CURVES, ...pointsOf(all)]}
        notes={groupNames(groups)}
        labels={LABELS}
        cursor={{
          at: share,
          label: SHARE.title,
          text: percent(share, 0),
          step: linearSteps(STEP),
          onMove: setShare,
        }}
        table={() => ({
          head: ['share', ...KERNEL_GAINS.map(nameOf)],
          rows: SHARE.ticks.map((at) => ({
            name: percent(at, 0),
            cells: KERNEL_GAINS.map((gain) => ratio(modelGain(at, gain))),
            values: [at, ...KERNEL_GAINS.map((gain) => modelGain(at, gain))],
          })),
        })}
      />
      <FiguresTable
        caption="Gains of kernels and of their models"
        head={['model', 'products, share', 'kernel', 'model, predicted', 'model, in fact']}
        rows={all.map((one) => ({
          name: one.name,
          cells: [
            percent(one.share, 0),
            `${ratio(one.gainOfKernel)}${one.isByBytes ? ', by bytes' : ''}`,
            ratio(one.predicted),
            ratio(one.gainOfModel),
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
