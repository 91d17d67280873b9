import { countText } from '../../core/story/words.ts';
import { scaleLinear, scaleLog } from 'd3-scale';
import { useRef } from 'react';
import { useWidth } from '../parts/use-size.ts';
import type { Bin } from './overflow-shares.ts';

export interface CountHistogramProps {
  /** what is counted: 'rows', 'tile rows' */
  readonly what: string;
  readonly bins: readonly Bin[];
  /** most non-zeros that fit; what is beyond stands out. null: nothing has an end */
  readonly capacity: number | null;
}

const HEIGHT = 124;
const MARGIN = { top: 22, right: 8, bottom: 34, left: 40 };

/** How many rows or tile rows hold how many non-zeros: a bar for each count, on a logarithmic axis that shows one of many. */
export function CountHistogram({ what, bins, capacity }: CountHistogramProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(160, useWidth(frame));
  const end = bins.length === 0 ? 1 : bins[bins.length - 1].to + 1;
  const most = bins.reduce((largest, bin) => Math.max(largest, bin.count), 1);
  const x = scaleLinear([0, end], [MARGIN.left, width - MARGIN.right]);
  // A bar of one still has a height.
  const y = scaleLog([0.5, Math.max(10, most)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const powers = Array.from({ length: Math.floor(Math.log10(Math.max(10, most))) + 1 }, (_, i) => 10 ** i);
  const shown = powers.length > 4 ? powers.filter((_, i) => i % 2 === 0) : powers;
  return (
    <figure>
      <div ref={frame} className="chart-frame">
        <svg
          className="chart"
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={summaryText(what, bins, capacity)}
        >
          {shown.map((power) => (
            <g key={power}>
              <line className="grid" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(power)} y2={y(power)} />
              <text x={MARGIN.left - 6} y={y(power)} dy="0.35em" textAnchor="end">
                {power >= 10_000 ? `1e${Math.log10(power)}` : countText(power)}
              </text>
            </g>
          ))}
          {bins.map(
            (bin) =>
              bin.count > 0 && (
                <rect
                  key={bin.from}
                  className="count-bar"
                  data-over={capacity !== null && bin.from > capacity ? '' : undefined}
                  x={x(bin.from)}
                  y={y(bin.count)}
                  width={Math.max(1, x(Math.min(end, bin.to + 1)) - x(bin.from) - 1)}
                  height={y(0.5) - y(bin.count)}
                />
              ),
          )}
          <line className="rule" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(0.5)} y2={y(0.5)} />
          {x.ticks(Math.min(end, Math.max(2, Math.floor(width / 70)))).map((tick) =>
            Number.isInteger(tick) ? (
              <text key={tick} x={x(tick)} y={HEIGHT - MARGIN.bottom + 14} textAnchor="middle">
                {countText(tick)}
              </text>
            ) : null,
          )}
          {capacity !== null && (
            <>
              <line className="dotted" x1={x(capacity + 1)} x2={x(capacity + 1)} y1={MARGIN.top} y2={y(0.5)} />
              <text
                className="direct-label"
                x={x(capacity + 1)}
                y={10}
                textAnchor={x(capacity + 1) > width / 2 ? 'end' : 'start'}
              >
                room for {capacity}
              </text>
            </>
          )}
          <text className="axis-title" x={MARGIN.left - 6} y={10} textAnchor="start" dx={-34}>
            {capacity === null || x(capacity + 1) > width / 2 ? what : ''}
          </text>
          <text className="axis-title" x={width - MARGIN.right} y={HEIGHT - 3} textAnchor="end">
            non-zeros of one of the {what}
          </text>
        </svg>
      </div>
      <details className="disclosure">
        <summary>{what} as a table</summary>
        <table className="table">
          <caption className="unseen">Number of {what} by their non-zeros</caption>
          <thead>
            <tr>
              <th scope="col" className="number">
                non-zeros
              </th>
              <th scope="col" className="number">
                {what}
              </th>
            </tr>
          </thead>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.from}>
                <th scope="row" className="number">
                  {bin.from === bin.to ? countText(bin.from) : `${countText(bin.from)} to ${countText(bin.to)}`}
                </th>
                <td className="number">{countText(bin.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function summaryText(what: string, bins: readonly Bin[], capacity: number | null): string {
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  const top = bins.reduce((best, bin) => (bin.count > best.count ? bin : best), { from: 0, to: 0, count: 0 });
  const range = top.from === top.to ? `${top.from}` : `${top.from} to ${top.to}`;
  const usual = `Non-zeros of ${countText(all)} ${what}: most often ${range}.`;
  if (capacity === null) return usual;
  const over = bins.reduce((sum, bin) => sum + (bin.from > capacity ? bin.count : 0), 0);
  return `${usual} ${countText(over)} of them hold more than the ${capacity} that fit.`;
}
