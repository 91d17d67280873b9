// Saved files of the quality chart: CSV and JSON.

import { type ChartTable, tableCsv } from '../../../../src/kit/charts/chart-csv.ts';
import { pointName, type QualityPoint } from '../quality/points.ts';
import type { QualityMeasurements } from './quality-story.ts';

const figuresOf = (points: readonly QualityPoint[], bytesPerTale: number): ChartTable => ({
  head: [
    'name',
    'way',
    'density',
    'pattern',
    'values',
    'trained_s',
    'bits_per_byte',
    'bits_above_floor',
    'bits_per_tale_above_floor',
    'unbroken',
    'judged',
    'tales',
    'relative_bytes',
  ],
  rows: points.map((p) => ({
    name: pointName(p),
    cells: [],
    values: [
      pointName(p),
      p.method,
      p.density,
      p.pattern,
      p.valueType,
      p.trained,
      p.bitsPerByte,
      p.excessBits,
      p.excessBits * bytesPerTale,
      p.judged === 0 ? null : p.unbroken,
      p.judged,
      p.tales,
      p.bytesShare,
    ],
  })),
});

/** CSV, a line per pruned model. Way: pruning method; floor: least possible bits; unbroken: tales without error. */
export function qualityCsv({ points, bytesPerTale }: QualityMeasurements): string {
  return tableCsv(figuresOf(points, bytesPerTale));
}

/** The same data as JSON, with what all models have in common. */
export function qualityJson({ points, bytesPerTale, floor, title, description }: QualityMeasurements): string {
  const { head, rows } = figuresOf(points, bytesPerTale);
  const objects = rows.map(({ values }) => Object.fromEntries(head.map((name, i) => [name, values?.[i] ?? null])));
  return `${JSON.stringify({ model: title, about: description, floor, bytesPerTale, points: objects }, null, 2)}\n`;
}
