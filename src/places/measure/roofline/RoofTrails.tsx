import type { trail } from '../../../theory/roofline/roofs.ts';
import { type Axis, clampTo } from '../../../kit/charts/axis.ts';
import type { PartProps } from './RoofLines.tsx';
import { choiceOf, type RoofPoint, timeOf } from './roof-points.ts';
import { pointTitle, tokensText } from './roof-words.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';

interface TrailProps extends PartProps {
  readonly points: ReturnType<typeof trail>;
  readonly titleOf: (format: string) => string;
  readonly yAxis: Axis;
}

/** Where the chosen format would move with more tokens, if one read of the matrix served all of them. */
export function Trail({ plot, points, roofline: { point, choices }, titleOf, yAxis }: TrailProps) {
  if (point === null) return null;
  const color = cssColorOf(point.format);
  // On the slope only: the level roof has its own labels.
  const level = Math.max(...points.map(({ gflops }) => gflops)); // bounded: one for each stop of a trail
  const named = points.find(({ tokens, gflops }) => tokens > choices.tokens && gflops < 0.5 * level);
  return points
    .filter(({ tokens }) => tokens !== choices.tokens)
    .map((p) => {
      const [px, py] = [plot.x(p.flopPerByte), plot.y(clampTo(yAxis.domain, p.gflops / 1000))];
      return (
        <g key={p.tokens} style={{ color }}>
          <circle className="roof-trail" cx={px} cy={py} r={3.5} />
          {p === named && !plot.narrow && (
            <g style={{ fill: cssTextColorOf(point.format) }}>
              <path className="plot-leader" d={`M${px - 5} ${py}h-14`} />
              <text className="plot-name roof-own plot-halo" x={px - 23} y={py - 6} textAnchor="end">
                {pointTitle(point, titleOf)} for {tokensText(p.tokens)},
              </text>
              <text className="plot-name roof-own plot-halo" x={px - 23} y={py + 9} textAnchor="end">
                if one read serves them all
              </text>
            </g>
          )}
        </g>
      );
    });
}

/** Lines through a format's speeds with more and more tokens, if measured with several. */
export function MeasuredTrails({ plot, roofline: { measured, choices }, yAxis }: PartProps & { readonly yAxis: Axis }) {
  const byFormat = new Map<string, Map<number, RoofPoint>>();
  for (const point of measured) {
    if (point.tokens === null) continue;
    const key = choiceOf(point);
    const own = byFormat.get(key) ?? new Map<number, RoofPoint>();
    byFormat.set(key, own);
    const known = own.get(point.tokens);
    if (!known || timeOf(point) < timeOf(known)) own.set(point.tokens, point);
  }
  return [...byFormat.entries()]
    .filter(([, own]) => own.size > 1)
    .map(([key, own]) => {
      const points = [...own.values()].toSorted((a, b) => (a.tokens ?? 0) - (b.tokens ?? 0));
      const places = points.map((p) => ({
        p,
        px: plot.x(p.flopPerByte),
        py: plot.y(clampTo(yAxis.domain, p.gflops / 1000)),
      }));
      return (
        <g key={key} style={{ color: cssColorOf(points[0].format) }}>
          <path className="roof-path" d={`M${places.map(({ px, py }) => `${px} ${py}`).join('L')}`} />
          {places
            .filter(({ p }) => p.tokens !== choices.tokens)
            .map(({ p, px, py }) => (
              <g key={p.id}>
                <circle className="roof-dot" cx={px} cy={py} r={3} />
                <text className="plot-halo" x={px} y={py + 15} textAnchor="middle">
                  {p.tokens}
                </text>
              </g>
            ))}
        </g>
      );
    });
}
