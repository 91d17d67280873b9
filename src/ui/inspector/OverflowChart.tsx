import { countText } from '../../core/story/words.ts';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { useId, useRef } from 'react';
import { shareOfRows, shareOfTileRows } from '../../theory/overflow-odds.ts';
import { useWidth } from '../parts/use-size.ts';
import { oddsText, type OverflowComparison, shareText, tableMeans } from './overflow-shares.ts';
import type { TilingComparison } from './tilings.ts';

export interface OverflowChartProps {
  /** what the lines differ in */
  readonly comparison: TilingComparison;
  readonly here: OverflowComparison;
}

const HEIGHT = 234;
const MARGIN = { top: 24, right: 10, bottom: 34, left: 42 };
/** Smaller odds are left to the table. */
const LEAST = 1e-12;
const SAMPLES = 160;
/** Room for '4.75 % here' beside its mark. */
const HERE_WIDTH = 100;
/** Odds at which the label of a line stands: a different one for each, since the lines lie close together. */
const LABELS_AT = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11];

/** Share of overflowing tile rows against mean non-zeros if these fell independently, and this matrix beside it. */
export function OverflowChart({ comparison, here }: OverflowChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(160, useWidth(frame));
  const clip = useId();
  const { cols } = comparison.options[0].tiling;
  const x = scaleLog([1, Math.max(2, cols)], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLog([LEAST, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const path = line<readonly [number, number]>(
    ([mean]) => x(mean),
    ([, share]) => y(Math.max(share, LEAST / 1e3)),
  );
  const means = Array.from({ length: SAMPLES + 1 }, (_, i) => Math.max(1, cols) ** (i / SAMPLES));
  const curves = comparison.options.map(({ label, tiling, current }, i) => {
    const points = means.map((mean) => [mean, shareOfTileRows(tiling, mean)] as const);
    const at = LABELS_AT[i % LABELS_AT.length];
    const labelled = points.find(([, share]) => share >= at);
    return { label, current, d: path(points) ?? '', labelX: labelled && x(labelled[0]), labelY: y(at) };
  });
  const hereX = x(Math.max(1, here.perRow));
  // At the bottom the label of the line is to the right of the mark.
  const isNone = here.actual.tileRows <= LEAST;
  const hereOnLeft = hereX > (isNone ? MARGIN.left + HERE_WIDTH / 2 : width - HERE_WIDTH);
  const markY = (share: number): number => y(Math.max(share, LEAST));
  return (
    <figure>
      <div ref={frame} className="chart-frame">
        <svg
          className="chart"
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={summaryText(comparison, here)}
        >
          <clipPath id={clip}>
            <rect
              x={MARGIN.left}
              y={MARGIN.top - 4}
              width={width - MARGIN.left - MARGIN.right + 4}
              height={HEIGHT - MARGIN.bottom - MARGIN.top + 4}
            />
          </clipPath>
          {[1, 1e-3, 1e-6, 1e-9, 1e-12].map((tick) => (
            <g key={tick}>
              <line
                className={tick === LEAST ? 'rule' : 'grid'}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text x={MARGIN.left - 6} y={y(tick)} dy="0.35em" textAnchor="end">
                {tick === 1 ? 'all' : `1e\u2212${Math.round(-Math.log10(tick))}`}
              </text>
            </g>
          ))}
          {powersUpTo(cols).map((tick) => (
            <text
              key={tick}
              x={x(tick)}
              y={HEIGHT - MARGIN.bottom + 15}
              textAnchor={x(tick) > width - 30 ? 'end' : 'middle'}
            >
              {countText(tick)}
            </text>
          ))}
          <text className="axis-title" x={width - MARGIN.right} y={HEIGHT - 3} textAnchor="end">
            mean non-zeros of a row
          </text>
          <text className="axis-title" x={0} y={10}>
            share of tile rows that overflow
          </text>
          <g clipPath={`url(#${clip})`}>
            {curves.map(({ label, current, d }) => (
              <path key={label} className={current ? 'curve' : 'curve curve--thin'} stroke="var(--accent)" d={d} />
            ))}
            <line className="dotted" x1={hereX} x2={hereX} y1={y(1)} y2={y(LEAST)} />
          </g>
          {curves.map(
            ({ label, current, labelX, labelY }) =>
              labelX !== undefined && (
                <text
                  key={label}
                  className="direct-label over-line"
                  data-strong={current ? '' : undefined}
                  x={labelX}
                  y={labelY}
                  dy="0.35em"
                  textAnchor="middle"
                >
                  {label}
                </text>
              ),
          )}
          <circle className="dot dot--faint" cx={hereX} cy={markY(here.ownCounts.tileRows)} r={3.5} />
          <circle className="dot" cx={hereX} cy={markY(here.actual.tileRows)} r={4.5} />
          <text
            className="here"
            x={hereX + (hereOnLeft ? -10 : 10)}
            y={markY(here.actual.tileRows) + (isNone ? -8 : 14)}
            textAnchor={hereOnLeft ? 'end' : 'start'}
          >
            {here.actual.tileRows === 0 ? 'none' : shareText(here.actual.tileRows)} here
          </text>
        </svg>
      </div>
      <details className="disclosure">
        <summary>as a table</summary>
        <OddsTable comparison={comparison} here={here} />
      </details>
    </figure>
  );
}

function OddsTable({ comparison, here }: OverflowChartProps) {
  const { options, label } = comparison;
  const current = options.find((option) => option.current);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="table-scroll" tabIndex={0} aria-label={`Overflow by mean non-zeros and ${label}`}>
      <table className="table">
        <caption className="unseen">
          Share of tile rows that overflow by mean non-zeros of a row and {label}, if non-zeros fell independently
        </caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              mean
            </th>
            {options.map((option) => (
              <th key={option.label} scope="col" className="number">
                {option.label}
              </th>
            ))}
            {current && (
              <th scope="col" className="number">
                rows, {current.label}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {tableMeans(options[0].tiling.cols, here.perRow).map((mean) => (
            <tr key={mean} aria-current={mean === here.perRow ? 'true' : undefined}>
              <th scope="row" className="number">
                {Number.isInteger(mean) ? countText(mean) : mean.toPrecision(4)}
              </th>
              {options.map((option) => (
                <td key={option.label} className="number">
                  {oddsText(option.tiling, shareOfTileRows(option.tiling, mean))}
                </td>
              ))}
              {current && <td className="number">{oddsText(current.tiling, shareOfRows(current.tiling, mean))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function powersUpTo(cols: number): readonly number[] {
  const powers: number[] = [];
  for (let power = 1; power <= cols; power *= 10) powers.push(power);
  return powers;
}

function summaryText({ label }: TilingComparison, { perRow, independent, actual }: OverflowComparison): string {
  return `Share of tile rows that overflow against mean non-zeros of a row, a line for each ${label}. At the mean of this matrix, ${perRow.toPrecision(3)}, independent non-zeros would make ${shareText(independent.tileRows)} overflow; here it is ${shareText(actual.tileRows)}.`;
}
