import { useMemo, useRef } from 'react';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { accentOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { modelBytes } from '../../../../theory/models/model-bytes.ts';
import { perSecond } from './shapes.ts';
import { clockWords } from './speed-words.ts';
import type { Large } from './use-large.ts';
import { useWidth } from '../../../../kit/browser/use-size.ts';
import { largest } from '../../../../core/number/statistics.ts';
import { DensitySlider, densityX } from '../curve/DensitySlider.tsx';
import { leftText } from '../../../../kit/words/shares.ts';

interface RatePoint {
  readonly density: number;
  readonly tokensPerSecond: number;
}

/** A level that does not depend on density. */
interface RateLevel extends Pick<RatePoint, 'tokensPerSecond'> {
  readonly title: string;
  readonly dotted: boolean;
}

interface RateChartProps {
  readonly format: string;
  readonly title: string;
  /** for the matrices alone, measured here or recorded, by falling density */
  readonly points: readonly RatePoint[];
  /** for whole tokens, likewise */
  readonly whole: readonly RatePoint[];
  readonly limit: readonly RatePoint[];
  readonly levels: readonly RateLevel[];
  /** for whole tokens, measured by others */
  readonly published: readonly RatePoint[];
  readonly density: number;
  readonly onChange: (density: number) => void;
}

const HEIGHT = 292;
const TOP = 14;
const BOTTOM = 246;
const LEFT = 44;
const MIN = 0.05;

/** Tokens per second by weights left; the axis is a slider. */
function RateChart({ format, title, points, whole, limit, levels, published, density, onChange }: RateChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const names = width < 460 ? 144 : 168;
  const right = Math.max(LEFT + 120, width - names);
  const all = [...points, ...whole, ...published, ...levels].map(({ tokensPerSecond }) => tokensPerSecond);
  const top = 1.6 * Math.max(100, largest(all));
  const bottom = 25;
  const y = (rate: number): number =>
    BOTTOM - (Math.log(Math.max(bottom, rate) / bottom) / Math.log(top / bottom)) * (BOTTOM - TOP);
  const axis = { left: LEFT, right, min: MIN };
  const x = (d: number): number => densityX(axis, d);
  const path = (line: readonly RatePoint[]): string =>
    line
      .map((one, i) => `${i === 0 ? 'M' : 'L'}${x(one.density).toFixed(1)} ${y(one.tokensPerSecond).toFixed(1)}`)
      .join('');
  const ticks = [30, 50, 100, 200, 500, 1000, 2000].filter((tick) => tick < top);
  const here = points.find((one) => Math.abs(one.density - density) < 0.004);
  // Numbers at 12 px are at most 7.5 px wide per digit.
  const isNearNames = here !== undefined && right - x(here.density) < 10 + 7.5 * `${title} 000`.length;
  const placed = spread(levels.map((level) => ({ ...level, at: y(level.tokensPerSecond) })));
  const middle = limit[Math.floor(limit.length * 0.45)];
  return (
    <div ref={box} className="relative" style={{ ...accentOf(format), blockSize: HEIGHT }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={ratesWords(title, points, whole)}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="stroke-hairline" x1={LEFT} x2={right} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                {tick}
              </text>
            </g>
          ))}
          {placed.map((level) => (
            <g key={level.title}>
              <line
                className="rate-level stroke-quiet stroke-15"
                data-dotted={level.dotted || undefined}
                x1={LEFT}
                x2={right}
                y1={y(level.tokensPerSecond)}
                y2={y(level.tokensPerSecond)}
              />
              <text x={right + 8} y={level.at + 4} className="rate-name">
                {level.title} {Math.round(level.tokensPerSecond)}
              </text>
            </g>
          ))}
          <path className="fill-none stroke-accent" d={path(limit.filter((one) => one.tokensPerSecond <= top))} />
          {middle && middle.tokensPerSecond < top && (
            <text className="rate-name rate-own halo" x={x(middle.density) + 8} y={y(middle.tokensPerSecond) - 6}>
              limit by bytes
            </text>
          )}
          <Published points={published} x={x} y={y} path={path(published)} />
          <path className="stroke-2 fill-none stroke-accent" d={path(points)} />
          <line className="stroke-ink" x1={x(density)} x2={x(density)} y1={TOP} y2={BOTTOM} />
          {points.map((one) => (
            <circle
              key={one.density}
              className="stroke-15 stroke-ground"
              fill="var(--accent)"
              cx={x(one.density)}
              cy={y(one.tokensPerSecond)}
              r={one === here ? 5.5 : 4}
            />
          ))}
          <Whole points={whole} {...{ density, x, y }} path={path(whole)} />
          {here && (
            <text
              className="rate-value halo"
              // The line rises to the left, so the right is free, except beside the names.
              x={x(here.density) + (isNearNames ? -10 : 10)}
              y={y(here.tokensPerSecond) + (isNearNames ? -10 : 4)}
              textAnchor={isNearNames ? 'end' : 'start'}
            >
              {title} {Math.round(here.tokensPerSecond)}
            </text>
          )}
        </svg>
      )}
      {width > 0 && (
        <DensitySlider
          axis={axis}
          at={BOTTOM}
          density={density}
          step={0.05}
          ticks={[1, 0.8, 0.6, 0.4, 0.2]}
          label="Left of the large model"
          onMove={onChange}
        />
      )}
    </div>
  );
}

/** The chart in words. */
export function ratesWords(title: string, points: readonly RatePoint[], whole: readonly RatePoint[]): string {
  const list = (all: readonly RatePoint[]): string =>
    all.map((one) => `${leftText(one.density)} left: ${Math.round(one.tokensPerSecond)}`).join(', ') || 'not measured';
  return `Tokens per second by what is left, ${title}: ${list(points)}; whole tokens: ${list(whole)}`;
}

interface WholeProps {
  readonly points: readonly RatePoint[];
  /** the labelled one */
  readonly density: number;
  readonly x: (density: number) => number;
  readonly y: (rate: number) => number;
  readonly path: string;
}

/** Whole tokens, as rings. */
function Whole({ points, density, x, y, path }: WholeProps) {
  const here = points.find((one) => Math.abs(one.density - density) < 0.004);
  return (
    <>
      <path className="stroke-2 fill-none stroke-accent" d={path} />
      {points.map((one) => (
        <circle
          key={one.density}
          className="fill-ground stroke-2 stroke-accent"
          cx={x(one.density)}
          cy={y(one.tokensPerSecond)}
          r={4.5}
        />
      ))}
      {here && (
        <text className="rate-value halo" x={x(here.density) + 10} y={y(here.tokensPerSecond) + 4}>
          whole {Math.round(here.tokensPerSecond)}
        </text>
      )}
    </>
  );
}

interface PublishedProps {
  readonly points: readonly RatePoint[];
  readonly x: (density: number) => number;
  readonly y: (rate: number) => number;
  readonly path: string;
}

function Published({ points, x, y, path }: PublishedProps) {
  return (
    <>
      <path className="rate-published fill-none stroke-accent" d={path} />
      {points.map((one) => (
        <rect
          key={one.density}
          className="fill-ground stroke-accent"
          x={x(one.density) - 3}
          y={y(one.tokensPerSecond) - 3}
          width={6}
          height={6}
        />
      ))}
    </>
  );
}

/** Labels from top to bottom, at least a line apart. */
function spread<T extends { readonly at: number }>(labels: readonly T[]): readonly T[] {
  let last = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.at - b.at)
    .map((label) => {
      last = Math.max(label.at, last + 15);
      return { ...label, at: last };
    });
}

interface LargeProps {
  readonly known: Large;
  /** a token of the dense model */
  readonly denseNs: number | null;
}

/** Tokens per second of a large model by weights left. */
export function Rates({ known, denseNs }: LargeProps) {
  const { device, large, left, choose, format, stored, isDense, measured, readGBps, pytorch, published, whole } = known;
  const limit = useMemo(
    () =>
      readGBps === null || isDense
        ? []
        : Array.from({ length: 96 }, (_, i) => 1 - i / 100).flatMap((density) => {
            const bytes = modelBytes(large, { ...stored, density });
            return bytes ? [{ density, tokensPerSecond: (readGBps * 1e9) / bytes.readStored }] : [];
          }),
    [readGBps, isDense, large, stored],
  );
  const levels: readonly RateLevel[] = [
    ...(denseNs === null ? [] : [{ title: 'dense, matrices', tokensPerSecond: perSecond(denseNs), dotted: false }]),
    ...whole.dense.map(({ tokensPerSecond }) => ({ title: 'dense, whole', tokensPerSecond, dotted: false })),
    ...(pytorch?.ways ?? []).map(({ title, tokensPerSecond }) => ({ title, tokensPerSecond, dotted: false })),
    ...(published
      ? [
          {
            title: `dense, ${published.device}`,
            tokensPerSecond: published.points[0].denseTokensPerSecond,
            dotted: true,
          },
        ]
      : []),
  ];
  return (
    <>
      <p className="quiet size-12 mb-2">
        {large.name}; dots: matrices{clockWords(device)}; rings: whole tokens by the wall clock
      </p>
      <RateChart
        format={format.id}
        title={format.title}
        points={
          isDense
            ? []
            : measured.flatMap((one) =>
                one.storedNs === null ? [] : [{ density: one.density, tokensPerSecond: perSecond(one.storedNs) }],
              )
        }
        whole={whole.stored}
        limit={limit}
        levels={levels}
        published={published?.points ?? []}
        density={left}
        onChange={(next) => choose({ left: next })}
      />
      {published && (
        <p className="quiet size-12 pretty mt-2">
          <Swatch format={format.id} /> Squares: whole tokens on an {published.device}, as{' '}
          <a href={published.paper} target="_blank" rel="noreferrer" style={{ color: cssTextColorOf(format.id) }}>
            published
          </a>{' '}
          in {published.place.toLowerCase()}.
        </p>
      )}
    </>
  );
}
