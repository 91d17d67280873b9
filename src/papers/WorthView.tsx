import { useState } from 'react';
import { Chart } from '../kit/charts/Chart.tsx';
import type { Axis } from '../kit/charts/axis.ts';
import type { ChartLabel, ChartNote } from '../kit/charts/ChartNotes.tsx';
import { linearSteps } from '../kit/charts/cursor.ts';
import { FiguresTable } from '../kit/charts/FiguresTable.tsx';
import type { Series } from '../kit/charts/series.ts';
import { Swatch } from '../kit/controls/Swatch.tsx';
import { cssColorOf } from '../kit/format-color.ts';
import { Note } from '../kit/primitives/Text.tsx';
import { percent, ratio, THIN } from '../kit/words/quantity.ts';
import { modelGain, WORTH, type Worth } from './worth.ts';

const STEP = 0.01;
/** Gains of kernels whose curves are drawn; the last is that of products that take no time. */
const KERNELS = [1.35, 2, 4, Infinity];
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
  domain: [1, MAX_GAIN],
  ticks: [1, 2, 3, 4],
  text: (gain) => `${gain}×`,
  title: 'model, times as fast',
};

const nameOf = (kernel: number): string => (kernel === Infinity ? 'a kernel in no time' : `kernel ${kernel}×`);

const CURVES: readonly Series[] = KERNELS.map((kernel) => ({
  id: nameOf(kernel),
  kind: 'limit',
  // The last one leaves the chart above its end.
  title: kernel === Infinity ? null : nameOf(kernel),
  color: 'var(--text-muted)',
  points: Array.from({ length: 101 }, (_, i) => ({ x: i * STEP, y: modelGain(i * STEP, kernel) })).filter(
    ({ y }) => y <= MAX_GAIN,
  ),
}));

const ALL: readonly Worth[] = WORTH.flatMap(({ points }) => points);

const POINTS: readonly Series[] = [true, false].flatMap((isOurs) =>
  [...new Set(ALL.map(({ format }) => format))].map((format): Series => ({
    id: `${format} ${isOurs}`,
    kind: isOurs ? 'encoded' : 'published',
    title: null,
    color: cssColorOf(format),
    points: ALL.filter((one) => one.format === format && one.isOurs === isOurs).map(({ share, model }) => ({
      x: share,
      y: model,
    })),
  })),
);

const LABELS: readonly ChartLabel[] = [{ x: 0.65, y: modelGain(0.65, Infinity), text: nameOf(Infinity) }];

const NAMES: readonly ChartNote[] = WORTH.map(({ points: [first] }) => ({
  x: first.share,
  y: first.model,
  text: first.name.split(/[ ,]/)[0],
  color: cssColorOf(first.format),
}));

/** Amdahl's law with a share to choose, and on it what the papers print and this page measured. */
export function WorthView() {
  const [share, setShare] = useState(0.6);
  const gains = KERNELS.map((kernel) => `${nameOf(kernel)}: ${ratio(modelGain(share, kernel))}`);
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
        heading={{ title: 'From the kernel to the model', caption: 'dots measured by this page, squares published' }}
        spoken={spoken}
        x={SHARE}
        y={GAIN}
        series={[...CURVES, ...POINTS]}
        notes={NAMES}
        labels={LABELS}
        cursor={{
          at: share,
          label: 'share of the time that is products',
          text: percent(share, 0),
          step: linearSteps(STEP),
          onMove: setShare,
        }}
        figures={() => ({
          head: ['share', ...KERNELS.map(nameOf)],
          rows: SHARE.ticks.map((at) => ({
            name: percent(at, 0),
            cells: KERNELS.map((kernel) => ratio(modelGain(at, kernel))),
            values: [at, ...KERNELS.map((kernel) => modelGain(at, kernel))],
          })),
        })}
      />
      <Note>Dots are measured by this page. Squares are published.</Note>
      <FiguresTable
        caption="Gains of kernels and of their models"
        head={['model', 'products, share', 'kernel', 'model, predicted', 'model, in fact', 'more than predicted']}
        rows={ALL.map((one) => ({
          name: one.name,
          cells: [
            percent(one.share, 0),
            ratio(one.kernel),
            ratio(one.predicted),
            ratio(one.model),
            `${(100 * (one.model / one.predicted - 1)).toFixed(0).replace('-', '−')}${THIN}%`,
          ],
        }))}
      />
      {WORTH.map(({ title, how, points: [{ format }] }) => (
        <Note key={title}>
          <Swatch format={format} /> <strong>{title}.</strong> {how}
        </Note>
      ))}
    </div>
  );
}
