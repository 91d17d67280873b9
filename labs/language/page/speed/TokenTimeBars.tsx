import { useRef } from 'react';
import { useRemainingHeight } from '../../../../src/kit/browser/use-window-height.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { cssColorOf, cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { REFERENCE_FORMAT } from '../../../../src/state/index.ts';

/** A bar: one way to decode a token of a large model, and its times. */
export interface TokenTimeRow {
  readonly title: string;
  /** below the title */
  readonly note: string;
  /** the format of the matrices; null for PyTorch, which has only recorded times of whole tokens */
  readonly format: string | null;
  /** times of the matrices in milliseconds, each measured alone; empty: not measured */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
  /** a whole token, including everything besides matrices; null: not measured */
  readonly wholeMs: number | null;
  /** least time to read its bytes at the read speed of the device, in milliseconds */
  readonly limitMs: number | null;
}

interface TokenTimeBarsProps {
  readonly rows: readonly TokenTimeRow[];
  /** milliseconds at the right edge, where longer bars are clipped */
  readonly end: number;
}

/** Minimum height of a row, and the part of a row that is the gap to the next bar, px. */
const MIN_ROW_HEIGHT = 37;
const GAP = 12;
/** Height of the names of the columns, px. */
const HEAD_HEIGHT = 40;
/** Width of the dashed box for the rest of a token (all but matrices) if its time is unmeasured, px. */
const REST_WIDTH = 38;

/** Width of the time right of a bar, px. */
const TIME_WIDTH = 56;

/** Bars of milliseconds per token, split by matrices; ticks: least time to read their bytes; dashed: not measured. */
export function TokenTimeBars({ rows, end }: TokenTimeBarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const labelWidth = width < 420 ? 122 : 132;
  const columnsWidth = width < 420 ? 96 : 132;
  const right = width - columnsWidth;
  const x = (ms: number): number => labelWidth + (Math.min(end, ms) / end) * (right - labelWidth - TIME_WIDTH);
  const tickMs = [0.5, 1, 2, 5, 10].find((size) => x(size) - labelWidth >= 40) ?? 20;
  const ticks = Array.from({ length: Math.floor(end / tickMs) + 1 }, (_, i) => i * tickMs);
  const rowHeight =
    useRemainingHeight(560, [rows.length * MIN_ROW_HEIGHT, rows.length * 2 * MIN_ROW_HEIGHT]) / rows.length;
  const height = HEAD_HEIGHT + 2 + rows.length * rowHeight;
  return (
    <div ref={box} style={{ blockSize: height + 20 }}>
      {width > 0 && (
        <svg
          width={width}
          height={height + 20}
          role="img"
          aria-label={`Milliseconds per token: ${rows.map(rowText).join('; ')}`}
        >
          <text x={width} y={12} textAnchor="end">
            tokens per second
          </text>
          <text x={width - columnsWidth / 2 - 10} y={28} textAnchor="end">
            whole
          </text>
          <text x={width} y={28} textAnchor="end">
            matrices
          </text>
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="stroke-hairline" x1={x(tick)} x2={x(tick)} y1={HEAD_HEIGHT - 4} y2={height - 8} />
              <text x={x(tick)} y={height + 8} textAnchor="middle">
                {tick}
                {tick === ticks.at(-1) ? ' ms' : ''}
              </text>
            </g>
          ))}
          {rows.map((tokenRow, i) => (
            <Bar
              key={tokenRow.title}
              {...{ row: tokenRow, x, left: labelWidth, width, columnsWidth, end }}
              y={HEAD_HEIGHT + i * rowHeight}
              height={rowHeight - GAP}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

interface BarProps {
  readonly row: TokenTimeRow;
  readonly x: (ms: number) => number;
  /** px: left end of the bars, widths of the picture and of the columns at its right, then top and height of the bar */
  readonly left: number;
  readonly width: number;
  readonly columnsWidth: number;
  readonly y: number;
  readonly height: number;
  /** milliseconds at the right edge */
  readonly end: number;
}

function Bar({ row, x, left, width, columnsWidth, y, height, end }: BarProps) {
  const totalMs = matricesMs(row);
  /** y of the baseline of the bar's text */
  const baseline = y + height / 2 + 4.5;
  const isMeasured = row.parts.length > 0;
  const longest = Math.max(totalMs, row.wholeMs ?? 0);
  const isTruncated = longest > end;
  const color = row.format === null ? 'var(--track)' : cssColorOf(row.format);
  // In the dark theme the grey of dense bars is too dark for dark letters.
  const letterColor = row.format === REFERENCE_FORMAT ? 'light-dark(var(--ground), var(--text))' : 'var(--ground)';
  // The rest of a token, without a time, is drawn with a fixed width.
  const isRestUnmeasured = row.format !== null && isMeasured && row.wholeMs === null;
  const barEnd = longest > 0 ? x(longest) : x(row.limitMs ?? 0);
  return (
    <g>
      <text
        x={left - 10}
        y={row.note === '' ? baseline : baseline - 6}
        textAnchor="end"
        style={row.format === null ? {} : { fill: cssTextColorOf(row.format), fontWeight: 600 }}
      >
        {row.title}
      </text>
      <text x={left - 10} y={baseline + 8} textAnchor="end">
        {row.note}
      </text>
      {row.wholeMs !== null && (
        <rect
          className={row.format === null ? undefined : 'opacity-28'}
          x={left}
          y={y}
          width={Math.max(1, x(row.wholeMs) - left)}
          height={height}
          style={{ fill: color }}
        />
      )}
      {row.parts.map(({ name, ms }, i) => {
        const startMs = row.parts.slice(0, i).reduce((sum, part) => sum + part.ms, 0);
        const from = x(startMs);
        const size = x(startMs + ms) - from;
        return (
          <g key={name}>
            <rect x={from} y={y} width={Math.max(1, size - 1.5)} height={height} style={{ fill: color }} />
            {size > 8 * name.length && (
              <text x={from + 6} y={baseline} className="font-semibold" style={{ fill: letterColor }}>
                {name}
              </text>
            )}
          </g>
        );
      })}
      {isTruncated && (
        <path className="stroke-[5px] stroke-ground" d={`M${x(end) - 14} ${y + height + 3}l8 ${-height - 6}`} />
      )}
      {isMeasured && row.wholeMs !== null && x(row.wholeMs) - x(totalMs) > 32 && (
        <text x={x(totalMs) + 5} y={baseline}>
          rest
        </text>
      )}
      {longest === 0 && (
        <rect
          className="stroke-control-border [stroke-dasharray:3_2] fill-none"
          x={left}
          y={y + 0.5}
          width={Math.max(4, barEnd - left)}
          height={height - 1}
          style={{ stroke: color }}
        />
      )}
      {isRestUnmeasured && (
        <>
          <rect
            className="stroke-control-border [stroke-dasharray:3_2] fill-none"
            x={barEnd + 2}
            y={y + 0.5}
            width={REST_WIDTH}
            height={height - 1}
          />
          <text x={barEnd + 2 + REST_WIDTH / 2} y={baseline} textAnchor="middle">
            rest
          </text>
        </>
      )}
      {row.limitMs !== null && (
        <path className="stroke-ink stroke-[2px]" d={`M${x(row.limitMs)} ${y - 4}v7m0 ${height - 6}v7`} />
      )}
      <text x={barEnd + (isRestUnmeasured ? REST_WIDTH + 8 : 8)} y={baseline} className="real-total halo">
        {longest > 0 ? longest.toFixed(longest < 9.995 ? 2 : 1) : 'not measured'}
      </text>
      <text x={width - columnsWidth / 2 - 10} y={baseline} textAnchor="end" className="real-rate">
        {row.wholeMs === null ? '–' : Math.round(1000 / row.wholeMs)}
      </text>
      <text x={width} y={baseline} textAnchor="end" className="real-rate">
        {isMeasured ? Math.round(1000 / totalMs) : '–'}
      </text>
    </g>
  );
}

/** Milliseconds of all matrices. */
export function matricesMs({ parts }: TokenTimeRow): number {
  return parts.reduce((sum, { ms }) => sum + ms, 0);
}

/** The bar in words. */
export function rowText(row: TokenTimeRow): string {
  const { title, parts, wholeMs } = row;
  const matrices = parts.length === 0 ? [] : [`${matricesMs(row).toFixed(2)} for the matrices`];
  const wholeTokenText = wholeMs === null ? [] : [`${wholeMs.toFixed(2)} whole`];
  return matrices.length + wholeTokenText.length === 0
    ? `${title}: not measured`
    : `${title}: ${[...matrices, ...wholeTokenText].join(', ')}`;
}
