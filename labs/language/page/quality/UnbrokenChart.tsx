// The chart of the share of a model's tales that break no law.

import { useMemo } from 'react';
import type { ChartNote } from '../../../../src/kit/charts/ChartWords.tsx';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import type { Series } from '../../../../src/kit/charts/series.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { DENSITY_AXIS, UNBROKEN_AXIS } from './axes.ts';
import { type PublishedPoint, PublishedPoints, type Mark, markColor, Marks } from './Marks.tsx';
import { curveOf, denseOf, pointName, type QualityPoint, METHOD_NAMES } from './points.ts';

interface UnbrokenChartProps {
  /** the model and the origin of the points, for saved files */
  readonly caption: string;
  readonly points: readonly QualityPoint[];
  /** measured here, in addition to a recording */
  readonly live: readonly QualityPoint[];
  readonly published: readonly PublishedPoint[];
  readonly density: number;
}

const TITLE = 'Unbroken tales, by density';

/** The labels of lines: their density, and their height as a share of the dense model's height. */
const NAMES = [
  { way: 'wanda', color: 'var(--text)', x: 0.8, y: 1.35 },
  { way: 'magnitude', color: 'var(--text-muted)', x: 0.83, y: 0.57 },
  { way: 'random', color: 'var(--text-quiet)', x: 0.84, y: 0.25 },
] as const;

/** Returns the share of unbroken tales. */
const shareOf = (p: QualityPoint): number => p.unbroken / p.judged;

/** The share of a model's tales (short stories) that break none of their laws (tales/judge.ts), by weights left. */
export function UnbrokenChart({ caption, points, live, published, density }: UnbrokenChartProps) {
  const judged = useMemo(() => points.filter((p) => p.judged > 0), [points]);
  const series = useMemo((): readonly Series[] => {
    const line = (way: 'wanda' | 'magnitude' | 'random', color: string): Series[] => {
      const curve = curveOf(judged, way);
      if (curve.length < 2) return [];
      const linePoints = curve.map((p) => ({ x: p.density, y: shareOf(p) }));
      return [{ id: way, kind: 'measured', title: null, color, join: 'straight', points: linePoints }];
    };
    const rings: Series = {
      id: 'live',
      kind: 'live',
      title: null,
      color: 'var(--text)',
      points: live.filter((p) => p.judged > 0).map((p) => ({ x: p.density, y: shareOf(p), ...interval(p) })),
    };
    return [
      ...line('random', 'var(--text-quiet)'),
      ...line('magnitude', 'var(--text-muted)'),
      ...line('wanda', 'var(--text)'),
      rings,
    ];
  }, [judged, live]);
  const marks = useMemo(
    () =>
      judged
        .filter((p) => p.valueType === 'f16' && (p.trained > 0 || (p.pattern !== null && p.method === 'wanda')))
        .map((point): Mark => ({
          point,
          x: point.density,
          y: shareOf(point),
          text: null,
        })),
    [judged],
  );
  const dense = denseOf(judged);
  const labels = useMemo(() => {
    const denseShare = dense ? shareOf(dense) : 0;
    // If nearly all tales break, the lines coincide, and have no labels.
    return NAMES.filter(({ way }) => denseShare > 0.3 && series.some(({ id }) => id === way)).map(
      ({ way, x, y, color }) => ({
        x,
        y: y * denseShare,
        text: METHOD_NAMES[way],
        color,
      }),
    );
  }, [dense, series]);
  return (
    <Chart
      id="unbroken-by-density"
      heading={{ title: TITLE, caption }}
      spoken={unbrokenSpoken(judged)}
      x={DENSITY_AXIS}
      y={UNBROKEN_AXIS}
      height={220}
      series={series}
      rules={dense ? [{ id: 'unpruned', position: shareOf(dense), title: null, kind: 'dotted' }] : []}
      cursor={{
        x: Math.max(DENSITY_AXIS.domain[0], density),
        label: 'Density',
        text: densityText(density),
        step: (index) => index,
        onMove: () => {},
        handle: false,
      }}
      labels={labels}
      notes={namesOf(marks)}
      table={() => ({
        head: ['', 'left', 'unbroken', 'judged'],
        rows: judged.map((p) => ({
          name: pointName(p),
          cells: [densityText(p.density), String(p.unbroken), String(p.judged)],
          values: [pointName(p), p.density, p.unbroken, p.judged],
        })),
      })}
    >
      {(plot) => (
        <>
          <PublishedPoints plot={plot} published={published} />
          <Marks plot={plot} marks={marks} />
        </>
      )}
    </Chart>
  );
}

/** A description of the chart for screen readers. */
export function unbrokenSpoken(judged: readonly QualityPoint[]): string {
  const dense = denseOf(judged);
  return `${TITLE}${dense ? `; dense ${Math.round(100 * shareOf(dense))} percent` : ''}.`;
}

/** Returns one label for each position, which names all marks of a colour there. */
function namesOf(marks: readonly Mark[]): readonly ChartNote[] {
  const notes: ChartNote[] = [];
  for (const { point, x, y } of marks) {
    const text = point.pattern ?? String(point.density);
    const color = markColor(point);
    const index = notes.findIndex((note) => note.color === color && note.x === x && Math.abs(note.y - y) < 0.04);
    if (index < 0) notes.push({ x, y, text, color });
    else notes[index] = { ...notes[index], text: `${notes[index].text}, ${text}` };
  }
  return notes;
}

/**
 * Returns a 95 % confidence interval of a share: two standard errors, adjusted for small samples (Agresti and Coull).
 */
function interval({ unbroken, judged }: QualityPoint): { readonly low: number; readonly high: number } {
  const p = (unbroken + 2) / (judged + 4);
  const halfWidth = 2 * Math.sqrt((p * (1 - p)) / (judged + 4));
  return { low: Math.max(0, p - halfWidth), high: Math.min(1, p + halfWidth) };
}
