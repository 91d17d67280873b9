import { baselineFormat } from '../../formats/catalog.ts';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useId, useRef } from 'react';
import { density as densityText } from '../parts/quantity.ts';
import { useWidth } from '../parts/use-size.ts';
import { breakEvenDensity, type CurvePoint, sampleCurve, type SizeCurve } from './size-curves.ts';

export interface DensityChartProps {
  readonly title: string;
  readonly curve: SizeCurve;
  readonly reference: { readonly title: string; readonly curve: SizeCurve } | null;
  /** this matrix: its density, and what was measured; null while it is being encoded */
  readonly here: { readonly density: number; readonly effectiveDensity: number | null };
}

const HEIGHT = 208;
const MARGIN = { top: 8, right: 8, bottom: 34, left: 34 };
const TOP = 1.1;

/** Effective density against density: the closed form of the format, dense, and this matrix on them. */
export function DensityChart({ title, curve, reference, here }: DensityChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(160, useWidth(frame));
  const clip = useId();
  const x = scaleLinear([0, 1], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([0, TOP], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const path = line<CurvePoint>(
    (p) => x(p.density),
    (p) => y(Math.min(p.effectiveDensity, 4)),
  );
  const breakEven = breakEvenDensity(curve);
  const { density, effectiveDensity } = here;
  const hereOnLeft = density > 0.6;
  // Below its mark, and above it where the axis is near.
  const hereY = y(Math.min(effectiveDensity ?? 0, TOP)) + ((effectiveDensity ?? 0) < 0.12 ? -8 : 14);
  const hereX = x(density) + (hereOnLeft ? -10 - HERE_WIDTH : 10);
  const taken: Box[] = effectiveDensity === null ? [] : [{ x: hereX, y: hereY, width: HERE_WIDTH }];
  const label = place(
    [0.56, 0.68, 0.44, 0.8, 0.3].map((d) => ({
      x: x(d) - 8 - widthOf(title),
      y: y(Math.min(curve(d).expected, 1)) - 6,
      width: widthOf(title),
    })),
    taken,
  );
  taken.push(label);
  const referenceLabel =
    reference &&
    place(
      [0.92, 0.62, 0.36, 0.12].map((level) => ({
        x: x(crossing(reference.curve, level)) + 8,
        y: y(level) + 4,
        width: widthOf(reference.title),
      })),
      taken,
    );
  return (
    <figure>
      <div ref={frame} className="chart-frame">
        <svg
          className="chart"
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={summaryText(title, here, breakEven)}
        >
          <clipPath id={clip}>
            <rect
              x={MARGIN.left}
              y={MARGIN.top - 4}
              width={width - MARGIN.left - MARGIN.right + 4}
              height={HEIGHT - MARGIN.bottom - MARGIN.top + 5}
            />
          </clipPath>
          {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
            <g key={tick}>
              <line
                className={tick === 1 ? 'rule' : 'grid'}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text x={MARGIN.left - 6} y={y(tick)} dy="0.35em" textAnchor="end">
                {tick.toFixed(2)}
              </text>
              <text
                x={x(tick)}
                y={HEIGHT - MARGIN.bottom + 15}
                textAnchor={tick === 1 ? 'end' : 'middle'}
                dx={tick === 1 ? 4 : 0}
              >
                {tick}
              </text>
            </g>
          ))}
          <text className="axis-title" x={width - MARGIN.right} y={HEIGHT - 3} textAnchor="end">
            density
          </text>
          <g clipPath={`url(#${clip})`}>
            {breakEven !== null && <line className="dotted" x1={x(breakEven)} x2={x(breakEven)} y1={y(1)} y2={y(0)} />}
            {reference && (
              <path
                className="curve curve--dashed"
                stroke={`var(--format-${baselineFormat.id}, var(--text-muted))`}
                d={path(sampleCurve((d) => reference.curve(d).expected)) ?? ''}
              />
            )}
            <path
              className="curve curve--thin"
              stroke="var(--accent)"
              d={path(sampleCurve((d) => curve(d).worst)) ?? ''}
            />
            <path
              className="curve curve--thin"
              stroke="var(--accent)"
              d={path(sampleCurve((d) => curve(d).best)) ?? ''}
            />
            <path className="curve" stroke="var(--accent)" d={path(sampleCurve((d) => curve(d).expected)) ?? ''} />
          </g>
          {breakEven !== null && (
            <text
              className="axis-title"
              x={x(breakEven) - 4}
              y={y(0) - 6}
              textAnchor={breakEven < 0.3 ? 'start' : 'end'}
              dx={breakEven < 0.3 ? 8 : 0}
            >
              even at {breakEven.toFixed(2)}
            </text>
          )}
          {reference && referenceLabel && (
            <text className="direct-label" x={referenceLabel.x} y={referenceLabel.y}>
              {reference.title}
            </text>
          )}
          <text className="direct-label" data-strong x={label.x} y={label.y}>
            {title}
          </text>
          {effectiveDensity !== null && (
            <>
              <circle className="dot" cx={x(density)} cy={y(Math.min(effectiveDensity, TOP))} r={4.5} />
              <text
                className="here"
                x={hereOnLeft ? hereX + HERE_WIDTH : hereX}
                y={hereY}
                textAnchor={hereOnLeft ? 'end' : 'start'}
              >
                {densityText(effectiveDensity)} here
              </text>
            </>
          )}
        </svg>
      </div>
      <details className="disclosure">
        <summary>as a table</summary>
        <table className="table">
          <caption className="unseen">Effective density of {title} by density</caption>
          <thead>
            <tr>
              {['density', 'best', 'expected', 'worst', ...(reference ? [reference.title] : [])].map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tableDensities(density).map((d) => (
              <tr key={d} aria-current={d === density ? 'true' : undefined}>
                <th scope="row" className="number">
                  {densityText(d)}
                </th>
                <td className="number">{densityText(curve(d).best)}</td>
                <td className="number">{densityText(curve(d).expected)}</td>
                <td className="number">{densityText(curve(d).worst)}</td>
                {reference && <td className="number">{densityText(reference.curve(d).expected)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** A label's place: `x` its left edge, `y` its baseline. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Width of '0.875 here' in the chart's mono face. */
const HERE_WIDTH = 74;

/** Width of a word at 12 px, generously. */
function widthOf(word: string): number {
  return word.length * 8;
}

/** The first candidate that lies on none of the labels that are there already, or the first of all. */
function place(candidates: readonly Box[], taken: readonly Box[]): Box {
  const free = (box: Box): boolean =>
    taken.every(
      (other) => box.x > other.x + other.width || other.x > box.x + box.width || Math.abs(box.y - other.y) > 14,
    );
  return candidates.find(free) ?? candidates[0];
}

/** The density at which a rising curve reaches `level`, or 1. */
function crossing(curve: SizeCurve, level: number): number {
  return sampleCurve((d) => curve(d).expected).find((p) => p.effectiveDensity >= level)?.density ?? 1;
}

function tableDensities(here: number): readonly number[] {
  return [...new Set([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, here])].sort((a, b) => a - b);
}

function summaryText(title: string, here: DensityChartProps['here'], breakEven: number | null): string {
  const measured =
    here.effectiveDensity === null
      ? ''
      : ` This matrix, at density ${densityText(here.density)}, takes ${densityText(here.effectiveDensity)} of its dense size.`;
  const even =
    breakEven === null
      ? ''
      : ` A random matrix is expected to be smaller than dense below density ${breakEven.toFixed(2)}.`;
  return `Effective density of ${title} against density.${measured}${even}`;
}
