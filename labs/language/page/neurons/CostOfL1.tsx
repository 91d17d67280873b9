// The chart of what an L1 penalty in training costs, and how few neurons fire with it.

import { largest } from '../../../../src/core/number/statistics.ts';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import type { ChartNote } from '../../../../src/kit/charts/ChartWords.tsx';
import type { Rule, Series } from '../../../../src/kit/charts/series.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import type { FiringRecord } from './firing-record.ts';

interface CostOfL1Props {
  readonly record: FiringRecord;
  /** bits per byte of this model, and of the model with SwiGLU; null: unknown */
  readonly modelBits: number | null;
  readonly swiglu: number | null;
  /** opens the model with SwiGLU */
  readonly onSwiglu: () => void;
}

/** Fewest neurons on the axis. */
const MIN_NEURONS = 8;

/** The training runs of the chart in words; `seconds`: the length of each run. */
export function l1Text(l1: FiringRecord['l1'], seconds: number): string {
  const runs = l1.map((run) => `${Math.round(run.firing)} fire, ${run.bitsPerByte.toFixed(4)} bits per byte`);
  return `Trainings of ${seconds} s: ${runs.join('; ')}`;
}

/** A chart of bits per byte by neurons that fire: rings for runs with different L1 penalties, a dot for this model. */
export function CostOfL1({ record, modelBits, swiglu, onSwiglu }: CostOfL1Props) {
  const { l1, floor, mean, neurons } = record;
  const top = largest([...l1.map(({ bitsPerByte }) => bitsPerByte), modelBits ?? 0, swiglu ?? 0]) + 0.001;
  const seconds = l1.length === 0 ? 0 : Math.round(l1.reduce((sum, run) => sum + run.seconds, 0) / l1.length);
  const runs = [
    ...l1.map((run) => ({ name: `l1 ${run.l1}`, firing: run.firing, bits: run.bitsPerByte })),
    ...(modelBits === null ? [] : [{ name: 'this model', firing: mean, bits: modelBits }]),
  ];
  const color = 'var(--values)';
  const series: readonly Series[] = [
    {
      id: 'trainings',
      kind: 'live',
      title: null,
      color,
      points: l1.map(({ firing: x, bitsPerByte: y, se }) => ({ x, y, low: y - se, high: y + se })),
    },
    {
      id: 'modelBits',
      kind: 'measured',
      title: null,
      color,
      points: modelBits === null ? [] : [{ x: mean, y: modelBits }],
    },
  ];
  const rules: readonly Rule[] = [
    { id: 'floor', position: floor.exact, title: null, kind: 'solid', color: 'var(--text)' },
    ...(swiglu === null ? [] : [{ id: 'SwiGLU', position: swiglu, title: 'SwiGLU', kind: 'dotted' } as const]),
  ];
  return (
    <section>
      <p className="text-muted text-12">
        bits per byte; rings: {l1.length} trainings of {seconds} s each
      </p>
      <Chart
        id="cost-of-l1"
        heading={{ title: 'Bits per byte by neurons that fire', caption: record.model }}
        spoken={l1Text(l1, seconds)}
        x={{
          scale: 'log',
          domain: [MIN_NEURONS, neurons],
          ticks: [neurons, 100, 30, 10],
          text: String,
          title: `neurons of ${neurons} that fire, mean over layers`,
          reversed: true,
        }}
        y={{
          scale: 'linear',
          domain: [floor.exact, top],
          ticks: [floor.exact, 0.215, 0.22, 0.225, 0.23].filter(
            (tick) => tick === floor.exact || (tick > floor.exact + 0.003 && tick < top),
          ),
          text: (bits) => (bits === floor.exact ? 'best' : bits.toFixed(3)),
          title: '',
        }}
        height={232}
        series={series}
        rules={rules}
        notes={l1.map(({ firing: x, bitsPerByte: y }): ChartNote => ({ x, y, text: String(Math.round(x)), color }))}
        labels={
          modelBits === null
            ? []
            : [{ x: mean, y: modelBits + (top - floor.exact) / 10, text: String(Math.round(mean)) }]
        }
        table={() => ({
          head: ['', 'neurons that fire', 'bits per byte'],
          rows: runs.map(({ name, firing, bits }) => ({
            name,
            cells: [firing.toFixed(1), bits.toFixed(4)],
            values: [name, firing, bits],
          })),
        })}
      />
      {swiglu !== null && (
        <TextButton className="text-12" onClick={onSwiglu}>
          SwiGLU, {swiglu.toFixed(4)}
        </TextButton>
      )}
    </section>
  );
}
