import { useMemo, useState } from 'react';
import { baselineFormat } from '../../../formats/catalog.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import { type ChartCursor, linearSteps } from '../../../kit/charts/cursor.ts';
import { EvenMark } from '../../../kit/charts/EvenMark.tsx';
import type { Rule, Series } from '../../../kit/charts/series.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { breakEvenDensity, sampleCurve, type SizeCurve } from '../../../kit/report/density-curves.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';

export interface DensityChartProps {
  readonly title: string;
  readonly curve: SizeCurve;
  readonly reference: { readonly title: string; readonly curve: SizeCurve } | null;
  /** this matrix: its density and encoded size; null while it is being encoded */
  readonly here: { readonly density: number; readonly effectiveDensity: number | null };
}

const HEIGHT = 232;
const X: Axis = { scale: 'linear', domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], text: String, title: 'density' };
const Y: Axis = {
  scale: 'linear',
  domain: [0, 1.1],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  text: (y) => y.toFixed(2),
  title: 'bytes relative to dense',
};
const EVEN: readonly Rule[] = [{ id: 'even', at: 1, title: null, kind: 'solid' }];

/** Effective density by density: the format's closed form, dense, and this matrix. */
export function DensityChart({ title, curve, reference, here }: DensityChartProps) {
  const [moved, setMoved] = useState<number | null>(null);
  const at = moved ?? here.density;
  const breakEven = useMemo(() => breakEvenDensity(curve), [curve]);
  const series = useMemo(() => linesOf(title, curve, reference), [title, curve, reference]);
  const { best, expected, worst } = curve(at);
  const cursor: ChartCursor = {
    at,
    label: 'density',
    text: `density ${densityText(at)}: ${densityText(expected)} of dense`,
    step: linearSteps(0.01),
    onMove: (to) => setMoved(Number(to.toFixed(3))),
  };
  return (
    <>
      <p className="chart-reading">
        At density {densityText(at)}: <strong>{densityText(expected)}</strong> expected, {densityText(best)} at best,{' '}
        {densityText(worst)} at worst
        {reference && `; ${reference.title} ${densityText(reference.curve(at).expected)}`}.
      </p>
      <Chart
        id={`size-by-density-${title}`}
        heading={{ title: `Effective density of ${title} by density`, caption: 'bytes relative to dense' }}
        spoken={spokenText(title, here, breakEven)}
        x={X}
        y={Y}
        height={HEIGHT}
        series={series}
        rules={EVEN}
        notes={
          here.effectiveDensity === null
            ? []
            : [
                {
                  x: here.density,
                  y: Math.min(here.effectiveDensity, Y.domain[1]),
                  text: `${densityText(here.effectiveDensity)} here`,
                },
              ]
        }
        cursor={cursor}
        figures={() => figuresOf(curve, reference, here)}
      >
        {(plot) =>
          breakEven !== null && (
            <EvenMark plot={plot} at={breakEven} text={`breaks even at ${densityText(breakEven, 2)}`} />
          )
        }
      </Chart>
    </>
  );
}

function linesOf(title: string, curve: SizeCurve, reference: DensityChartProps['reference']): readonly Series[] {
  const points = (of: (density: number) => number): Series['points'] =>
    sampleCurve(of).map(({ density, effectiveDensity }) => ({ x: density, y: effectiveDensity }));
  const own = { color: 'var(--accent)', textColor: 'var(--accent-text)', join: 'straight' } as const;
  return [
    { ...own, id: 'expected', kind: 'expected', title, points: points((d) => curve(d).expected) },
    { ...own, id: 'best', kind: 'limit', title: 'at best, at worst', points: points((d) => curve(d).best) },
    { ...own, id: 'worst', kind: 'limit', title: null, points: points((d) => curve(d).worst) },
    ...(reference
      ? [
          {
            id: 'reference',
            kind: 'predicted' as const,
            title: reference.title,
            color: cssColorOf(baselineFormat.id),
            textColor: cssTextColorOf(baselineFormat.id),
            join: 'straight' as const,
            points: points((d) => reference.curve(d).expected),
          },
        ]
      : []),
  ];
}

const TABLE_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

function figuresOf(
  curve: SizeCurve,
  reference: DensityChartProps['reference'],
  here: DensityChartProps['here'],
): ChartFigures {
  return {
    head: ['density', 'best', 'expected', 'worst', ...(reference ? [reference.title] : []), 'this matrix'],
    rows: [...new Set([...TABLE_DENSITIES, here.density])]
      .toSorted((a, b) => a - b)
      .map((d) => {
        const { best, expected, worst } = curve(d);
        const values = [best, expected, worst, ...(reference ? [reference.curve(d).expected] : [])];
        const own = d === here.density ? here.effectiveDensity : null;
        return {
          name: densityText(d),
          cells: [...values.map(densityText), own === null ? '' : densityText(own)],
          values: [d, ...values, own],
        };
      }),
  };
}

function spokenText(title: string, here: DensityChartProps['here'], breakEven: number | null): string {
  const measured =
    here.effectiveDensity === null
      ? ''
      : ` This matrix, at density ${densityText(here.density)}, is ${densityText(here.effectiveDensity)} of its dense size.`;
  const even =
    breakEven === null
      ? ''
      : ` Below density ${densityText(breakEven, 2)}, a random matrix should be smaller than dense.`;
  return `Effective density of ${title} against density.${measured}${even}`;
}
