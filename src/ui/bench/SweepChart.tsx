import { scaleLinear, scaleLog } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import { useRef } from 'react';
import { percent, ratio as ratioText } from '../parts/quantity.ts';
import { useWidth } from '../parts/use-size.ts';
import { breakEven, ratioScale, type SweepSeries, tickText, type TitleOf } from './report-view.ts';

const HEIGHT = 280;
const MARGIN = { top: 12, right: 84, bottom: 36, left: 40 };
/** Labels stand at least this far apart. */
const LABEL_HEIGHT = 16;

export interface SweepChartProps {
  readonly series: readonly SweepSeries[];
  readonly titleOf: TitleOf;
}

/** Speed against dense over density, sparser to the right: thick what was measured, thin what the bytes allow. */
export function SweepChart({ series, titleOf }: SweepChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(280, useWidth(frame));
  const points = series.flatMap((s) => s.points);
  const densities = points.map((p) => p.density);
  const x = scaleLinear([Math.max(...densities), Math.min(...densities)], [MARGIN.left, width - MARGIN.right]);
  const { domain, ticks } = ratioScale(points.flatMap((p) => [p.p10, p.p90, p.limit]));
  const y = scaleLog(domain, [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const lines = { measured: smooth(x, y, 'ratio'), limit: smooth(x, y, 'limit') };
  const [leader] = series.toSorted((a, b) => topRatio(b) - topRatio(a));
  const even = leader ? breakEven(leader) : null;
  const labels = spreadLabels(series.map((s) => ({ name: s.format, y: y(s.points[0]?.ratio ?? 1) })));
  const axis = [...new Set(densities)].sort((a, b) => b - a);
  return (
    <section className="sweep" aria-labelledby="sweep-title">
      <div className="section-head">
        <h2 id="sweep-title">
          Speed against density <span className="faint">thin: the limit by bytes · thick: measured here</span>
        </h2>
      </div>
      <figure>
        <div ref={frame} className="chart-frame">
          <svg
            className="chart"
            id="sweep-chart"
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={spokenSweep(series, titleOf)}
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  className={tick === 1 ? 'rule' : 'grid'}
                  x1={MARGIN.left}
                  x2={width - MARGIN.right}
                  y1={y(tick)}
                  y2={y(tick)}
                />
                <text x={MARGIN.left - 6} y={y(tick)} dy="0.35em" textAnchor="end">
                  {tickText(tick)}
                </text>
              </g>
            ))}
            {axis.map((d) => (
              <text key={d} x={x(d)} y={HEIGHT - MARGIN.bottom + 16} textAnchor="middle">
                {d.toFixed(2)}
              </text>
            ))}
            <text className="axis-title" x={width - MARGIN.right} y={HEIGHT - 4} textAnchor="end">
              density
            </text>
            {even !== null && leader && (
              <>
                <line className="dotted" x1={x(even)} x2={x(even)} y1={y(1)} y2={HEIGHT - MARGIN.bottom} />
                <text className="direct-label" x={x(even) + 6} y={HEIGHT - MARGIN.bottom - 8}>
                  {titleOf(leader.format)} faster below {even.toFixed(2)}
                </text>
              </>
            )}
            {series.map((s) => {
              const color = `var(--format-${s.format}, var(--text-muted))`;
              return (
                <g key={s.format}>
                  <path className="curve curve--thin" stroke={color} d={lines.limit(s.points) ?? ''} />
                  <path className="curve" stroke={color} d={lines.measured(s.points) ?? ''} />
                  {s.points.map((p) => (
                    <g key={p.density} style={{ color }}>
                      <line
                        stroke="currentColor"
                        x1={x(p.density)}
                        x2={x(p.density)}
                        y1={y(p.p10)}
                        y2={y(p.p90)}
                        opacity={0.5}
                      />
                      <circle className="measured" cx={x(p.density)} cy={y(p.ratio)} r={3} fill="currentColor" />
                    </g>
                  ))}
                  <text
                    className="direct-label"
                    style={{ fill: `var(--format-${s.format}-text, var(--text-muted))`, fontWeight: 600 }}
                    x={width - MARGIN.right + 10}
                    y={labels.get(s.format)}
                    dy="0.35em"
                  >
                    {titleOf(s.format)}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
        <details className="disclosure">
          <summary>as a table</summary>
          <div className="table-scroll">
            <table className="table">
              <caption className="unseen">Speed against dense by density</caption>
              <thead>
                <tr>
                  <th scope="col">density</th>
                  {series.map((s) => (
                    <th key={s.format} scope="col" className="number">
                      {titleOf(s.format)}, by bytes
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {axis.map((d) => (
                  <tr key={d}>
                    <th scope="row">{percent(d, 0)}</th>
                    {series.map((s) => {
                      const p = s.points.find((point) => point.density === d);
                      return (
                        <td key={s.format} className="number">
                          {p ? `${ratioText(p.ratio)}, ${ratioText(p.limit)}` : '–'}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </figure>
    </section>
  );
}

type Point = SweepSeries['points'][number];

function smooth(x: (d: number) => number, y: (r: number) => number, of: 'ratio' | 'limit') {
  return line<Point>(
    (p) => x(p.density),
    (p) => y(p[of]),
  ).curve(curveMonotoneX);
}

/** Heights of labels in their order from top to bottom, each moved down until it no longer lies on the one above. */
function spreadLabels(wanted: readonly { readonly name: string; readonly y: number }[]): ReadonlyMap<string, number> {
  const placed = new Map<string, number>();
  let least = Number.NEGATIVE_INFINITY;
  for (const { name, y } of wanted.toSorted((a, b) => a.y - b.y)) {
    const at = Math.max(y, least);
    placed.set(name, at);
    least = at + LABEL_HEIGHT;
  }
  return placed;
}

function topRatio(series: SweepSeries): number {
  return Math.max(...series.points.map((p) => p.ratio));
}

function spokenSweep(series: readonly SweepSeries[], titleOf: TitleOf): string {
  const parts = series.map((s) => {
    const even = breakEven(s);
    const top = `up to ${ratioText(topRatio(s))}`;
    return `${titleOf(s.format)} ${top}${even === null ? '' : `, faster than dense below density ${even.toFixed(2)}`}`;
  });
  return `Speed against dense over density: ${parts.join('; ')}.`;
}
