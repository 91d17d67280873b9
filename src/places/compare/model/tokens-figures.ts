import type { PublishedModelRun } from '../../../theory/models/published-models.ts';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { CurvePoint } from './model-view.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';

export interface TokensFiguresOf {
  readonly title: string;
  readonly curve: readonly CurvePoint[];
  readonly limit: readonly CurvePoint[];
  readonly published: PublishedModelRun | null;
}

/** Tokens per second as a table: a row for each measured or published density, and each tenth. */
export function tokensFigures({ title, curve, limit, published }: TokensFiguresOf): ChartFigures {
  const tenths = limit.length > 0 ? Array.from({ length: 10 }, (_, i) => (i + 1) / 10) : [];
  const densities = [
    ...new Set([...tenths, ...curve.map((p) => p.density), ...(published?.points ?? []).map((p) => p.density)]),
  ].toSorted((a, b) => a - b);
  const head = [
    'density',
    `${title}, measured`,
    'limit by bytes',
    ...(published ? [`${title}, published, ${published.device}`, `dense, published, ${published.device}`] : []),
  ];
  return {
    head,
    rows: densities.map((density) => {
      const there = published?.points.find((p) => p.density === density);
      const values = [
        at(curve, density),
        at(limit, density),
        ...(published ? [there?.tokensPerSecond ?? null, there?.denseTokensPerSecond ?? null] : []),
      ];
      return {
        name: densityText(density, 2),
        cells: values.map((value) => (value === null ? '' : oneDecimal(value))),
        values: [density, ...values],
      };
    }),
  };
}

function at(points: readonly CurvePoint[], density: number): number | null {
  return points.find((p) => Math.abs(p.density - density) < 1e-9)?.tokensPerSecond ?? null;
}
