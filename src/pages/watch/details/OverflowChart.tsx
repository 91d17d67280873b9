import { useMemo, useState } from 'react';
import { countText } from '../../../core/text/words.ts';
import { rowOverflowProbability, tileRowOverflowShare } from '../../../theory/overflow-odds.ts';
import { type Axis, powersBetween } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import type { ChartLabel } from '../../../kit/charts/ChartWords.tsx';
import { type ChartCursor, ratioSteps } from '../../../kit/charts/cursor.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { oddsText, type OverflowComparison, tableMeans } from './overflow-shares.ts';
import type { TilingComparison } from './tilings.ts';
import { probabilityText as shareText } from '../../../kit/words/shares.ts';

export interface OverflowChartProps {
  /** a parameter of the format, with a line for each of its options */
  readonly comparison: TilingComparison;
  /** the open matrix, compared with independent non-zeros */
  readonly overflow: OverflowComparison;
}

const HEIGHT = 262;
const X_TITLE = 'mean non-zeros of a row';
/** Lower end of the axis: smaller shares are only in the table. */
const MIN = 1e-12;
const SAMPLES = 160;
/** Odds at which lines are labelled: neighbouring lines at different odds, since they are close together. */
const LABELS_AT = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11];

const ODDS: Axis = {
  scale: 'log',
  domain: [MIN, 1],
  ticks: [1, 1e-3, 1e-6, 1e-9, 1e-12],
  text: (share) => (share === 1 ? 'all' : `1e\u2212${Math.round(-Math.log10(share))}`),
  title: 'overflowing tile rows', // parts of a row in one tile, with more non-zeros than the tile has slots
};

/** The share of tile rows that overflow, by mean non-zeros: a line for each tiling by chance, a point for this matrix. */
export function OverflowChart({ comparison, overflow }: OverflowChartProps) {
  const [movedMean, setMovedMean] = useState<number | null>(null);
  const { cols } = comparison.options[0].tiling;
  const max = Math.max(2, cols);
  const x = useMemo<Axis>(
    () => ({
      scale: 'log',
      domain: [1, max],
      ticks: powersBetween(1, max),
      text: countText,
      title: X_TITLE,
    }),
    [max],
  );
  const lines = useMemo(() => linesOf(comparison, max), [comparison, max]);
  const current = comparison.options.find((option) => option.current) ?? comparison.options[0];
  const matrixMean = Math.min(max, Math.max(1, overflow.perRow));
  const currentMean = Math.min(max, movedMean ?? matrixMean);
  const odds = oddsText(current.tiling, tileRowOverflowShare(current.tiling, currentMean));
  const meanText = `${Number(currentMean.toPrecision(3))} ${currentMean === 1 ? 'non-zero' : 'non-zeros'}`;
  const cursor: ChartCursor = {
    x: currentMean,
    label: X_TITLE,
    text: `${meanText}: ${odds} of tile rows overflow`,
    step: ratioSteps(20),
    onMove: (to) => setMovedMean(Number(to.toPrecision(3))),
  };
  const measuredShare = overflow.actual.tileRows;
  return (
    <>
      <p className="text-muted text-12 mb-2 leading-[1.4]">
        With {meanText} per row and {comparison.label} {current.label}, <strong className="text-ink">{odds}</strong> of
        tile rows overflow by chance.
      </p>
      <Chart
        id="overflow-by-non-zeros"
        heading={{
          title: `Overflowing tile rows by ${comparison.label}`,
          caption: 'of independent non-zeros',
        }}
        spoken={spokenText(comparison, overflow)}
        x={x}
        y={ODDS}
        height={HEIGHT}
        series={lines.series}
        labels={lines.labels}
        notes={[
          {
            x: matrixMean,
            y: Math.max(measuredShare, MIN),
            text: `${measuredShare === 0 ? 'none' : shareText(measuredShare)} here`,
          },
        ]}
        cursor={cursor}
        table={() => figuresOf(comparison, overflow)}
      >
        {(plot) => (
          // This matrix if each row had its non-zeros at random positions.
          <circle
            className="plot-ring fill-ground stroke-ink stroke-[1.5px]"
            style={{ stroke: 'var(--text-muted)' }}
            cx={plot.x(matrixMean)}
            cy={plot.y(Math.max(overflow.ownCounts.tileRows, MIN))}
            r={3}
          />
        )}
      </Chart>
    </>
  );
}

interface Lines {
  readonly series: readonly Series[];
  readonly labels: readonly ChartLabel[];
}

function linesOf({ options }: TilingComparison, max: number): Lines {
  const meanValues = Array.from({ length: SAMPLES + 1 }, (_, i) => max ** (i / SAMPLES));
  const drawnLines = options.map(({ label, tiling, current }, i) => {
    // At least a value below the axis, so that the line leaves the chart instead of ending in it.
    const points = meanValues.map((x) => ({ x, y: Math.max(tileRowOverflowShare(tiling, x), MIN / 1e3) }));
    const from = points.find(({ y }) => y >= LABELS_AT[i % LABELS_AT.length]);
    const series: Series = {
      id: label,
      kind: current ? 'expected' : 'limit',
      title: null,
      color: 'var(--accent)',
      join: 'straight',
      points,
    };
    return { series, label: from && { ...from, text: label, ...(current ? { color: 'var(--accent-text)' } : {}) } };
  });
  return { series: drawnLines.map(({ series }) => series), labels: drawnLines.flatMap(({ label }) => label ?? []) };
}

function figuresOf({ options }: TilingComparison, { perRow }: OverflowComparison): ChartTable {
  const current = options.find((option) => option.current);
  return {
    head: ['mean', ...options.map(({ label }) => label), ...(current ? [`rows, ${current.label}`] : [])],
    rows: tableMeans(options[0].tiling.cols, perRow).map((mean) => {
      const odds = options.map(({ tiling }) => ({ tiling, share: tileRowOverflowShare(tiling, mean) }));
      if (current) odds.push({ tiling: current.tiling, share: rowOverflowProbability(current.tiling, mean) });
      return {
        name: Number.isInteger(mean) ? countText(mean) : mean.toPrecision(4),
        cells: odds.map(({ tiling, share }) => oddsText(tiling, share)),
        values: [mean, ...odds.map(({ share }) => share)],
      };
    }),
  };
}

function spokenText({ label }: TilingComparison, { perRow, independent, actual }: OverflowComparison): string {
  return `Overflowing tile rows by ${X_TITLE}, a line for each ${label}. At ${perRow.toPrecision(3)}, ${shareText(independent.tileRows)} by chance; here ${shareText(actual.tileRows)}.`;
}
