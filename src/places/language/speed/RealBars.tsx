import { useRef } from 'react';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';

/** A way to decode a token of a large model. */
export interface RealRow {
  readonly title: string;
  /** below the title */
  readonly note: string;
  /** null: whole tokens of somebody else */
  readonly format: string | null;
  /** parts of the matrices in milliseconds, or one whole token; empty: not measured */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
  /** at the read speed of the device, in milliseconds */
  readonly limitMs: number | null;
}

interface RealBarsProps {
  readonly rows: readonly RealRow[];
  /** milliseconds at the right edge; longer bars are cut */
  readonly end: number;
}

const ROW = 37;
const BAR = 25;
/** Not to scale: nobody measured it. */
const REST = 38;

/** Milliseconds of a token by its matrices; a tick is what their bytes need, dashes are what was not measured. */
export function RealBars({ rows, end }: RealBarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const left = width < 420 ? 122 : 132;
  const columns = width < 420 ? 84 : 132;
  const right = width - columns;
  const x = (ms: number): number => left + (Math.min(end, ms) / end) * (right - left - 56);
  const step = [0.5, 1, 2, 5, 10].find((size) => x(size) - left >= 40) ?? 20;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
  const height = 26 + rows.length * ROW;
  return (
    <div ref={box} className="real-bars" style={{ blockSize: height + 20 }}>
      {width > 0 && (
        <svg
          width={width}
          height={height + 20}
          role="img"
          aria-label={`Milliseconds per token: ${rows.map(rowWords).join('; ')}`}
        >
          <text x={width - columns / 2 - 10} y={10} textAnchor="end">
            whole
          </text>
          <text x={width} y={10} textAnchor="end">
            matrices
          </text>
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="real-grid" x1={x(tick)} x2={x(tick)} y1={20} y2={height - 8} />
              <text x={x(tick)} y={height + 8} textAnchor="middle">
                {tick}
                {tick === ticks.at(-1) ? ' ms' : ''}
              </text>
            </g>
          ))}
          {rows.map((row, i) => {
            const y = 24 + i * ROW;
            const all = row.parts.reduce((sum, { ms }) => sum + ms, 0);
            const isCut = all > end;
            const isMeasured = row.parts.length > 0;
            const color = row.format === null ? 'var(--track)' : cssColorOf(row.format);
            let at = 0;
            const stop = isMeasured ? x(all) : x(row.limitMs ?? 0);
            return (
              <g key={row.title}>
                <text
                  x={left - 10}
                  y={y + (row.note === '' ? 17 : 11)}
                  textAnchor="end"
                  className="real-name"
                  style={row.format === null ? {} : { fill: cssTextColorOf(row.format), fontWeight: 600 }}
                >
                  {row.title}
                </text>
                <text x={left - 10} y={y + 25} textAnchor="end">
                  {row.note}
                </text>
                {row.parts.map(({ name, ms }) => {
                  const from = x(at);
                  at += ms;
                  const size = x(at) - from;
                  return (
                    <g key={name}>
                      <rect
                        x={from}
                        y={y}
                        width={Math.max(1, size - (row.format === null ? 0 : 1.5))}
                        height={BAR}
                        style={{ fill: color }}
                      />
                      {row.format !== null && size > 8 * name.length && (
                        <text x={from + 6} y={y + 17} className="real-part">
                          {name}
                        </text>
                      )}
                    </g>
                  );
                })}
                {isCut && <path className="real-cut" d={`M${x(end) - 14} ${y + BAR + 3}l8 ${-BAR - 6}`} />}
                {!isMeasured && (
                  <rect
                    className="real-dashed"
                    x={left}
                    y={y + 0.5}
                    width={Math.max(4, stop - left)}
                    height={BAR - 1}
                    style={{ stroke: color }}
                  />
                )}
                {row.format !== null && isMeasured && (
                  <>
                    <rect className="real-dashed" x={stop + 2} y={y + 0.5} width={REST} height={BAR - 1} />
                    <text x={stop + 2 + REST / 2} y={y + 17} textAnchor="middle">
                      rest
                    </text>
                  </>
                )}
                {row.limitMs !== null && (
                  <path className="real-limit" d={`M${x(row.limitMs)} ${y - 4}v7m0 ${BAR - 6}v7`} />
                )}
                <text x={stop + (row.format !== null && isMeasured ? REST + 8 : 8)} y={y + 17} className="real-total">
                  {isMeasured ? all.toFixed(all < 9.995 ? 2 : 1) : 'not measured'}
                </text>
                <text x={width - columns / 2 - 10} y={y + 17} textAnchor="end" className="real-rate">
                  {row.format === null ? Math.round(1000 / all) : '–'}
                </text>
                <text x={width} y={y + 17} textAnchor="end" className="real-rate">
                  {row.format === null || !isMeasured ? '–' : Math.round(1000 / all)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

function rowWords({ title, parts, format }: RealRow): string {
  if (parts.length === 0) return `${title} not measured`;
  const ms = parts.reduce((sum, part) => sum + part.ms, 0);
  return `${title} ${ms.toFixed(2)} ${format === null ? 'whole' : 'for the matrices'}`;
}
