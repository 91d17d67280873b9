// The chart of firing neurons by position of the token.

import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import { type Axis, powersBetween } from '../../../../src/kit/charts/axis.ts';
import type { Series } from '../../../../src/kit/charts/series.ts';
import { Note } from '../../../../src/kit/primitives/Text.tsx';
import type { FiringRecord } from './firing-record.ts';

/** Beyond this position of a token too few tales are long enough, and means become noisy. */
const MAX_POSITION = 300;
/** Position from which the mean of layers 1 and up no longer falls, and points of both lines are thinned out. */
const FALL_END = 20;

/** A mean (y) at a token position (x), counted from 1. */
interface AtPosition {
  readonly x: number;
  readonly y: number;
}

/** Mean number of firing (not 0) neurons by position: in layer 0, and over the other layers. O(layers x positions). */
export function byPosition(record: Pick<FiringRecord, 'byPosition'>): readonly (readonly AtPosition[])[] {
  const [firstLayer, ...otherLayers] = record.byPosition;
  const means = firstLayer.map((_, i) => otherLayers.reduce((sum, layer) => sum + layer[i], 0) / otherLayers.length);
  return [firstLayer, means].map((values) => values.slice(0, MAX_POSITION).map((y, i) => ({ x: i + 1, y })));
}

const POSITION: Axis = {
  scale: 'log',
  domain: [1, MAX_POSITION],
  ticks: [1, 3, 10, 30, 100, MAX_POSITION],
  text: String,
  title: 'position in the tale',
};
const FIRED: Axis = {
  scale: 'log',
  domain: [3, 120],
  ticks: [3, ...powersBetween(10, 100), 30],
  text: String,
  title: 'neurons that fire',
};

/** The points that are drawn: fewer and fewer to the right, where the axis is denser. */
const visiblePoints = (points: readonly AtPosition[]): readonly AtPosition[] =>
  points.filter(({ x }) => x % Math.ceil(x / FALL_END) === 0);

/** Firing neurons by position, both axes logarithmic: figure 7b of TwELL's paper shows the same for another model. */
export function ByPosition({ record }: { readonly record: FiringRecord }) {
  const [firstLayer, otherLayers] = byPosition(record);
  const series: readonly Series[] = [
    {
      id: 'layer 0',
      kind: 'measured',
      title: 'layer 0',
      color: 'var(--text)',
      points: visiblePoints(firstLayer),
      join: 'straight',
    },
    {
      id: 'others',
      kind: 'measured',
      title: `layers 1 to ${record.byPosition.length - 1}`,
      color: 'var(--text-muted)',
      points: visiblePoints(otherLayers),
      join: 'straight',
    },
  ];
  const listed = [1, 2, 4, 8, 16, 32, 64, 128, 256];
  return (
    <section aria-label="By position">
      <h3 className="side-head">
        By position <span className="section-caption">mean over {record.tales} tales</span>
      </h3>
      <Chart
        id="neurons-by-position"
        heading={{ title: 'Neurons by position', caption: `${record.model}, mean over ${record.tales} tales` }}
        spoken={`Layer 0: ${firstLayer[1].y.toFixed(0)} at position 2, ${firstLayer[127].y.toFixed(0)} at 128. The others: ${otherLayers[1].y.toFixed(0)} and ${otherLayers[127].y.toFixed(0)}.`}
        x={POSITION}
        y={FIRED}
        series={series}
        table={() => ({
          head: ['position', ...series.map(({ id }) => id)],
          rows: listed.map((position) => {
            const values = [firstLayer, otherLayers].map((points) => points[position - 1].y);
            return { name: String(position), cells: values.map((y) => y.toFixed(1)), values: [position, ...values] };
          }),
        })}
      />
      <Note>
        In the{' '}
        <a href="https://arxiv.org/abs/2603.23198" rel="noreferrer">
          TwELL paper
        </a>{' '}
        (figure 7b), firing falls with position. Here only layer 0 does so; the others rise again after {FALL_END}.
      </Note>
    </section>
  );
}
