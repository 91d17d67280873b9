import { useMemo } from 'react';
import { countText } from '../../../../core/story/words.ts';
import type { FormatParams } from '../../../../state/index.ts';
import { powersBetween } from '../../../../kit/charts/axis.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import { cumulated } from '../../../../kit/charts/histogram.ts';
import type { Plot } from '../../../../kit/charts/plot.ts';
import { percent } from '../../../../kit/words/quantity.ts';
import { type ChartParts, headsOf, HEIGHT } from './chart-parts.ts';
import { MarkLines } from './MarkLines.tsx';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

/** Distances between neighbours in a row, and the reach of formats that store differences. */
export function GapChart({ comparison, caption, onParams, marks }: ChartParts) {
  const { gaps, nnz, longestRun } = comparison.statistics;
  const sums = useMemo(() => cumulated(gaps), [gaps]);
  const end = Math.max(gaps.length - 1, ...marks.map(({ mark }) => mark.at), 2); // bounded: a few marks
  const ticks = powersBetween(1, end * 1.25, 2);
  const x = {
    scale: 'log' as const,
    domain: [0.75, end * 1.25] as const,
    ticks,
    text: countText,
    title: 'columns to the non-zero before it in the row',
  };
  const y = { ...SHARES, title: '' };
  const notes = Object.values(comparison.verdicts).flatMap((verdict) =>
    verdict.notes.filter(({ chart }) => chart.of === 'gaps'),
  );
  const shown = ticks.filter((tick) => tick <= end);
  const choices = marks.filter(({ mark }) => mark.params !== undefined);
  return (
    <section className="compare-chart" aria-label="Gaps">
      <SectionHead
        level={3}
        title="Gaps between neighbours in a row"
        caption="bar: gaps of this width, line: up to it"
      />
      <Chart
        id="gaps"
        heading={{ title: 'Gaps between neighbours in a row', caption }}
        spoken={`Of ${countText(nnz)} gaps, ${shown.map((gap) => `${shareUpTo(sums, gap, nnz)} are up to ${gap}`).join(', ')} columns wide. The longest run has ${countText(longestRun)} non-zeros.`}
        x={x}
        y={y}
        height={HEIGHT}
        series={[
          {
            id: 'cumulated',
            kind: 'expected',
            join: 'steps',
            title: null,
            color: 'var(--text)',
            points: stepPoints(sums, nnz),
          },
        ]}
        heads={headsOf(marks)}
        figures={() => ({
          head: ['columns', 'gaps of this width', 'share', 'up to it'],
          rows: gapRows(gaps, sums, nnz),
        })}
      >
        {(plot) => (
          <>
            <GapBars plot={plot} gaps={gaps} nnz={nnz} />
            <MarkLines plot={plot} marks={marks} ring={(at) => plot.y(shareAt(sums, at, nnz))} onParams={onParams} />
          </>
        )}
      </Chart>
      {choices.length > 0 && (
        <p className="compare-choices">
          {choices[0].format.title} with{' '}
          {choices.map(({ id, format, mark, isSet }) => (
            <button
              key={id}
              type="button"
              className="text-button"
              aria-pressed={isSet}
              onClick={() => onParams(format.id, mark.params as FormatParams)}
            >
              {mark.title}
            </button>
          ))}
        </p>
      )}
      <p className="compare-note">
        The longest run has {countText(longestRun)} non-zeros in neighbouring columns.
        {notes.map(({ text, source }) => (
          <span key={source}>
            {' '}
            {text} <cite>{source}</cite>
          </span>
        ))}
      </p>
    </section>
  );
}

const SHARES = {
  scale: 'linear' as const,
  domain: [0, 1] as const,
  ticks: [0, 0.5, 1],
  text: (share: number): string => percent(share, 0),
};

function shareAt(sums: Float64Array, gap: number, nnz: number): number {
  return nnz === 0 ? 0 : sums[Math.min(gap, sums.length - 1)] / nnz;
}

function shareUpTo(sums: Float64Array, gap: number, nnz: number): string {
  return percent(shareAt(sums, gap, nnz));
}

/** The cumulative line, without indistinguishable points. */
function stepPoints(sums: Float64Array, nnz: number): readonly { readonly x: number; readonly y: number }[] {
  const points = [{ x: 0.75, y: 0 }];
  let last = 0;
  for (let gap = 1; gap < sums.length; gap++) {
    const share = shareAt(sums, gap, nnz);
    if (gap > 16 && share - last < 0.002 && gap < sums.length - 1) continue;
    points.push({ x: gap, y: share });
    last = share;
  }
  return [...points, { x: (sums.length - 1) * 1.25 + 1, y: 1 }];
}

function gapRows(gaps: Uint32Array, sums: Float64Array, nnz: number) {
  const rows = [];
  for (let gap = 1; gap < gaps.length; gap++) {
    // Every gap up to 16, then powers of two: enough to read, where a wide matrix has thousands.
    if (gap > 16 && Math.log2(gap) % 1 !== 0 && gap < gaps.length - 1) continue;
    const [share, upTo] = [nnz === 0 ? 0 : gaps[gap] / nnz, shareAt(sums, gap, nnz)];
    rows.push({
      name: countText(gap),
      cells: [countText(gaps[gap]), percent(share), percent(upTo)],
      values: [gap, gaps[gap], share, upTo],
    });
  }
  return rows;
}

function GapBars({ plot, gaps, nnz }: { readonly plot: Plot; readonly gaps: Uint32Array; readonly nnz: number }) {
  const { x, y, bottom } = plot;
  const bars = [];
  for (let gap = 1; gap < gaps.length && gap <= 256; gap++) {
    const top = y(nnz === 0 ? 0 : gaps[gap] / nnz);
    if (bottom - top < 0.5) continue;
    const left = x(Math.max(0.76, gap - 0.5));
    bars.push(
      <rect
        key={gap}
        className="compare-column"
        x={left}
        y={top}
        width={Math.max(1, x(gap + 0.5) - left - 1)}
        height={bottom - top}
      />,
    );
  }
  return <g className="compare-columns">{bars}</g>;
}
