// The charts of a training run.

import './training.css';
import { useMemo } from 'react';
import type { Axis } from '../../../src/kit/charts/axis.ts';
import { useRemainingHeight } from '../../../src/kit/browser/use-window-height.ts';
import { Chart } from '../../../src/kit/charts/Chart.tsx';
import type { Series } from '../../../src/kit/charts/series.ts';
import { percent } from '../../../src/kit/words/quantity.ts';
import { countText } from '../../../src/core/text/words.ts';
import { DEAD_AFTER, type CurvePoint, SIZES, STEPS, type L1Change } from '../theory/run.ts';
import { meanText } from './run-words.ts';

interface CurvesProps {
  readonly points: readonly CurvePoint[];
  /** the points of a recorded run, thin and dashed in the background */
  readonly background: readonly CurvePoint[];
  /** the initial coefficient of L1, and the steps at which it was changed */
  readonly l1Changes: readonly L1Change[];
  /** shows only the chart of neurons */
  readonly isShort?: boolean;
}

/** One line of a chart, which plots one property of the points. */
interface Line {
  readonly id: 'mean' | 'max' | 'dead' | 'accuracy' | 'overflowing' | 'loss';
  readonly title: string;
  readonly color: string;
  readonly text: (value: number) => string;
  readonly dashed?: true;
}

interface Panel {
  readonly id: string;
  readonly title: string;
  readonly y: Axis;
  readonly lines: readonly Line[];
}

/** Height in px of everything on the page besides a chart, and the minimum and maximum height of a chart. */
const USED_HEIGHT = 620;
const CHART_HEIGHTS = [240, 480] as const;

const percentText = (value: number): string => percent(value, 0);

const PANELS: readonly Panel[] = [
  {
    id: 'training-neurons',
    title: `Neurons of ${countText(SIZES.hidden)}`,
    y: { scale: 'linear', domain: [0, SIZES.hidden], ticks: [0, 256, 512, 768, 1024], text: countText, title: '' },
    lines: [
      { id: 'mean', title: 'fire, mean', color: 'var(--strong)', text: meanText },
      { id: 'max', title: 'maximum', color: 'var(--text-muted)', text: countText, dashed: true },
      { id: 'dead', title: `dead in ${countText(DEAD_AFTER)} images`, color: 'var(--danger)', text: countText },
    ],
  },
  {
    id: 'training-shares',
    title: 'Images and tiles',
    y: { scale: 'linear', domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], text: percentText, title: '' },
    lines: [
      { id: 'accuracy', title: 'images recognised', color: 'var(--strong)', text: percentText },
      { id: 'overflowing', title: 'tiles that overflow', color: 'var(--danger)', text: percentText },
    ],
  },
  {
    id: 'training-loss',
    title: 'Loss of an image',
    y: { scale: 'log', domain: [0.003, 3], ticks: [0.01, 0.1, 1], text: String, title: '' },
    lines: [
      { id: 'loss', title: 'cross entropy, mean', color: 'var(--strong)', text: (value) => value.toPrecision(3) },
    ],
  },
];

const STEP_AXIS: Axis = {
  scale: 'linear',
  domain: [0, STEPS],
  // No tick at the last step: the titles of lines are there.
  ticks: [0, 100, 200, 300, 400],
  text: String,
  title: `step of ${STEPS}`,
};

/**
 * The curves of a training run, in three charts that grow point by point: neurons; recognised images, and TwELL's tiles
 * that overflow; loss.
 */
export function Curves({ points, background, l1Changes, isShort = false }: CurvesProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(17rem,100%),1fr))] gap-y-4 gap-x-6">
      {(isShort ? PANELS.slice(0, 1) : PANELS).map((panel) => (
        <PanelChart key={panel.id} panel={panel} points={points} background={background} l1Changes={l1Changes} />
      ))}
    </div>
  );
}

/** A line with its points. `kind` only sets the style: 'predicted' is thin and dashed, 'expected' is thick. */
function seriesOf(points: readonly CurvePoint[], line: Line, isBackground: boolean): Series {
  const { id, title, color, dashed } = line;
  return {
    id,
    kind: isBackground ? 'predicted' : 'expected',
    title: isBackground ? null : title,
    color,
    join: 'straight',
    ...(dashed && { dashed }),
    points: points.map((point) => ({ x: point.step, y: point[id] })),
  };
}

function PanelChart({ panel, points, background, l1Changes }: CurvesProps & { readonly panel: Panel }) {
  const { id, title, y, lines } = panel;
  const series = useMemo(
    () => [
      ...lines.map((line) => seriesOf(background, line, true)),
      ...lines.map((line) => seriesOf(points, line, false)),
    ],
    [lines, points, background],
  );
  const lastPoint = points.at(-1);
  const spoken = lastPoint
    ? `${title}, after ${lastPoint.step} of ${STEPS} steps: ${lines.map((line) => `${line.title} ${line.text(lastPoint[line.id])}`).join('; ')}.`
    : `${title}: not trained yet.`;
  return (
    <section className="min-w-0" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="text-13 font-semibold mb-1">
        {title}
      </h3>
      <Chart
        id={id}
        heading={{ title, caption: `a gated block of ${countText(SIZES.hidden)} neurons, trained on drawn digits` }}
        spoken={spoken}
        x={STEP_AXIS}
        y={y}
        height={useRemainingHeight(USED_HEIGHT, CHART_HEIGHTS)}
        series={series}
        table={() => ({
          head: ['step', ...lines.map((line) => line.title)],
          rows: points.map((point) => ({
            name: String(point.step),
            cells: lines.map((line) => line.text(point[line.id])),
            values: [point.step, ...lines.map((line) => point[line.id])],
          })),
        })}
      >
        {(plot) =>
          // A vertical line at each change of the coefficient; the first entry is its initial value.
          l1Changes
            .slice(1)
            .map((change) => (
              <line
                key={change.step}
                className="plot-dotted"
                x1={plot.x(change.step)}
                x2={plot.x(change.step)}
                y1={plot.top}
                y2={plot.bottom}
              />
            ))
        }
      </Chart>
    </section>
  );
}
