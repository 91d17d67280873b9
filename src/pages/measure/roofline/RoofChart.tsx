import { useMemo } from 'react';
import { type Arithmetic, ARITHMETIC_WORDS, ARITHMETICS } from '../../../core/report.ts';
import { ridge, roofAt, trail } from '../../../theory/roofline/roofs.ts';
import { type Axis, clampTo, powersBetween, type Plot } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import { useTitleOf } from '../../../kit/report/report-labels.ts';
import { percent, time } from '../../../kit/words/quantity.ts';
import { choiceOf, type RoofPoint, shareOfRoof, timeOf } from './roof-points.ts';
import { pointTitle, sourceText, tokensText } from './roof-words.ts';
import { placedPoints, PointButtons, Points } from './RoofPoints.tsx';
import type { Roofline } from './use-roofline.ts';
import { threeDigits } from '../../../core/text/words.ts';
import { bandwidth, perSecond } from '../../../kit/words/rates.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { textWidth } from '../../../kit/charts/label-space.ts';

/** How far a name may extend to the right of the plot, px. */
const OVERHANG = 20;

/** Where on the slope its label is, from 0 at the lower end to 1 at the ridge. */
const SLOPE_LABEL = 0.78;

const ROOF_LINE = 'roof-line stroke-ink stroke-2';

/** Properties of every part of the chart. */
interface PartProps {
  readonly plot: Plot;
  readonly roofline: Roofline;
}

/** A vertical line at each power of ten. */
function Grid({ plot, x }: { readonly plot: Plot; readonly x: Axis }) {
  return powersBetween(x.domain[0], x.domain[1]).map((tick) => (
    <line
      key={tick}
      className="plot-grid stroke-hairline"
      x1={plot.x(tick)}
      x2={plot.x(tick)}
      y1={plot.top}
      y2={plot.bottom}
    />
  ));
}

/** The slope of the roof, read speed × intensity, up to the intensity `to`. */
function Slope({
  plot,
  roofline: { device },
  to,
  label = true,
}: PartProps & { readonly to: number; readonly label?: boolean }) {
  const { x, y, left } = plot;
  const { roofs, origin } = device;
  const from = x.invert(left + 8);
  const [x1, y1, x2, y2] = [x(from), y((from * roofs.readGBps) / 1000), x(to), y((to * roofs.readGBps) / 1000)];
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [labelX, labelY] = [x1 + (x2 - x1) * SLOPE_LABEL, y1 + (y2 - y1) * SLOPE_LABEL];
  return (
    <>
      <line className={ROOF_LINE} strokeDasharray={dashed(origin)} x1={x1} y1={y1} x2={x2} y2={y2} />
      {label && (
        <text
          className="plot-name fill-ink"
          textAnchor="middle"
          transform={`translate(${labelX - 6} ${labelY - 7}) rotate(${angle})`}
        >
          reads {bandwidth(roofs.readGBps)}
          {plot.narrow ? '' : `, ${sourceText(origin)}`}
        </text>
      )}
    </>
  );
}

/** The dash pattern of roofs that were not measured. */
function dashed(by: Roofline['device']['origin']): string | undefined {
  return by === 'data sheet' || by === 'typed' ? '6 4' : undefined;
}

const ROOF_NAMES: Readonly<Record<Arithmetic, string>> = {
  f32: 'multiplies and adds',
  i8: 'dot products in i8',
  'i8-matrix': 'matrices in i8',
};

/** Slope, ridge and level roof of one kind of arithmetic; only the first roof has labels at slope and ridge. */
function Roof(props: PartProps & { readonly kind: Arithmetic; readonly xAxis: Axis; readonly isFirst: boolean }) {
  const { plot, roofline, kind, xAxis, isFirst } = props;
  const { roofs, origin } = roofline.device;
  const ridgeIntensity = ridge(roofs, kind) ?? 0;
  const peak = roofs.peakGMAps[kind];
  const level = plot.y((2 * peak) / 1000);
  const [ridgeX, right] = [plot.x(ridgeIntensity), plot.x(xAxis.domain[1])];
  const ridgeWords = `ridge ${threeDigits(ridgeIntensity)}`;
  return (
    <>
      <Slope plot={plot} roofline={roofline} to={ridgeIntensity} label={isFirst} />
      <line className={ROOF_LINE} strokeDasharray={dashed(origin)} x1={ridgeX} x2={right} y1={level} y2={level} />
      <text className="plot-name halo fill-ink" x={right} y={level - 7} textAnchor="end">
        {plot.narrow ? ARITHMETIC_WORDS[kind] : ROOF_NAMES[kind]} {perSecond(2 * peak, kind === 'f32' ? 'flop' : 'op')}
        {plot.narrow ? '' : `, ${sourceText(origin)}`}
      </text>
      {isFirst && (
        <>
          <line className="plot-dotted" x1={ridgeX} x2={ridgeX} y1={level} y2={plot.bottom} />
          <circle className="plot-ring fill-ground stroke-ink stroke-[1.5px]" cx={ridgeX} cy={level} r={4} />
          {/* Next to the ridge or, to stay inside the chart, below it. */}
          {ridgeX + 8 + textWidth(ridgeWords) < plot.right + OVERHANG ? (
            <text className="plot-name halo" x={ridgeX + 8} y={level + 18}>
              {ridgeWords}
            </text>
          ) : (
            <text className="plot-name halo" x={ridgeX - 8} y={plot.bottom - 26} textAnchor="end">
              {ridgeWords}
            </text>
          )}
          {!plot.narrow && (
            <>
              <text className="plot-name" x={ridgeX - 10} y={plot.bottom - 10} textAnchor="end">
                ← limited by bytes
              </text>
              {plot.right - ridgeX > 140 && (
                <text className="plot-name" x={ridgeX + 10} y={plot.bottom - 10}>
                  limited by arithmetic →
                </text>
              )}
            </>
          )}
        </>
      )}
    </>
  );
}

/** At higher densities, the line of dense would be too close to the roof. */
const MAX_DENSE_LINE = 0.95;

/** A line at the highest useful speed of dense: the f32 peak times the density, since dense multiplies zeros as well. */
function DenseAtBest({ plot, roofline, xAxis }: PartProps & { readonly xAxis: Axis }) {
  const { rooflineMatrix, device } = roofline;
  const peak = device.roofs.peakGMAps.f32;
  if (rooflineMatrix === null || peak === undefined) return null;
  const density = rooflineMatrix.nnz / Math.max(1, rooflineMatrix.rows * rooflineMatrix.cols);
  if (density > MAX_DENSE_LINE || density === 0) return null;
  const gflops = 2 * peak * density;
  const from = plot.x(gflops / device.roofs.readGBps);
  const [lineY, right] = [plot.y(gflops / 1000), plot.x(xAxis.domain[1])];
  if (lineY > plot.bottom) return null;
  const why = `: ${percent(1 - density, 0)} of its factors are zeros`;
  const words = 'dense at best';
  const hasSpace = 1.05 * textWidth(words + why) < right - from;
  return (
    <>
      <line className="roof-line stroke-quiet" strokeDasharray="6 4" x1={from} x2={right} y1={lineY} y2={lineY} />
      <text className="plot-name halo" x={right} y={lineY + 16} textAnchor="end">
        {words}
        {hasSpace && why}
      </text>
    </>
  );
}

/** Below a 16th of its roof, a kernel does not extend the y axis: it may be an arrow at the bottom. */
const MAX_LOSS = 16;

/** Log axes that fit every kernel down to a 16th of its roof, the ridges, and the intensities of `Trail`. */
function axesOf(
  { device: { roofs }, points: roofPoints, measured }: Roofline,
  trails: ReturnType<typeof trail>,
): { readonly x: Axis; readonly y: Axis } {
  const ridges = ARITHMETICS.flatMap((kind) => ridge(roofs, kind) ?? []);
  const points = [...roofPoints, ...measured];
  const intensities = [...points.map((p) => p.flopPerByte), ...trails.map((p) => p.flopPerByte)];
  const left = smallest(intensities, 0.3) / 2;
  const right = largest([...intensities, ...ridges], 50) * 2;
  const peaks = Object.values(roofs.peakGMAps).map((peak) => 2 * peak);
  const top = largest([...points.map((p) => p.roofGflops), ...peaks], roofAt(roofs, 'f32', right));
  const heights = points.map((p) => Math.max(p.gflops, p.roofGflops / MAX_LOSS));
  const low = smallest(heights, roofAt(roofs, 'f32', left)) / 1.6;
  const xDomain = [left, right] as const;
  const yDomain = [low / 1000, (top / 1000) * 2] as const;
  const powers = powersBetween(yDomain[0], yDomain[1]);
  return {
    x: { scale: 'log', domain: xDomain, ticks: ticksBetween(xDomain), text: axisText, title: 'flop per byte read' },
    y: {
      scale: 'log',
      domain: yDomain,
      // A single number along an axis does not show the scale.
      ticks: powers.length > 1 ? powers : ticksBetween(yDomain),
      text: axisText,
      title: 'Useful arithmetic, Tflop/s',
    },
  };
}

function ticksBetween([low, high]: readonly [number, number]): readonly number[] {
  return powersBetween(low / 10, high).flatMap((power) =>
    [1, 2, 5].map((n) => n * power).filter((tick) => tick >= low && tick <= high),
  );
}

function axisText(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Height of the chart, px. */
const HEIGHT = 560;

/** The roofline chart. A vertical line from each kernel up to its roof shows its loss. */
export function RoofChart({ roofline }: { readonly roofline: Roofline }) {
  const { device, points, measured, point, rooflineMatrix, dense, choices, choose } = roofline;
  const titleOf = useTitleOf();
  const { roofs } = device;
  const trails = useMemo(() => {
    if (rooflineMatrix === null || point === null || point.tokens === null) return [];
    return trail(roofs, point.arithmetic, {
      nnz: rooflineMatrix.nnz,
      matrixBytes: point.bytes - point.vectorBytes,
      tokenBytes: point.vectorBytes / point.tokens,
      padding: point.multiplyAdds / (point.flop / 2),
    });
  }, [roofs, rooflineMatrix, point]);
  const { x, y } = useMemo(() => axesOf(roofline, trails), [roofline, trails]);
  const kinds = ARITHMETICS.filter((kind) => roofs.peakGMAps[kind] !== undefined);
  const spoken = point
    ? `${pointTitle(point, titleOf)} does ${threeDigits(point.flopPerByte)} flop per byte and ${point.measured === null ? 'would reach' : 'reaches'} ${perSecond(point.gflops, 'flop')} of the ${perSecond(point.roofGflops, 'flop')} that the roof allows.`
    : 'A roof with no kernels.';
  return (
    <Chart
      id="roofline"
      heading={{
        title: 'Roofline: useful arithmetic against flop per byte',
        caption: `${device.name}, ${sourceText(device.origin)}; ${rooflineMatrix?.title ?? ''}; ${tokensText(choices.tokens)}`,
      }}
      spoken={spoken}
      x={x}
      y={y}
      height={HEIGHT}
      series={[]}
      table={() => roofFigures([...new Set([...points, ...measured])], titleOf)}
      controls={(plot) => (
        <PointButtons
          points={placedPoints(plot, y, points)}
          chosenPoint={point}
          titleOf={titleOf}
          onChoose={(chosen) => choose({ format: choiceOf(chosen) })}
        />
      )}
    >
      {(plot) => (
        <>
          <Grid plot={plot} x={x} />
          {kinds.map((kind, i) => (
            <Roof key={kind} plot={plot} roofline={roofline} kind={kind} xAxis={x} isFirst={i === 0} />
          ))}
          {kinds.length === 0 && <Slope plot={plot} roofline={roofline} to={x.domain[1]} />}
          <DenseAtBest plot={plot} roofline={roofline} xAxis={x} />
          <Trail plot={plot} points={trails} roofline={roofline} titleOf={titleOf} yAxis={y} />
          <MeasuredTrails plot={plot} roofline={roofline} yAxis={y} />
          <Points plot={plot} points={placedPoints(plot, y, points)} chosenPoint={point} titleOf={titleOf} />
          {dense && (
            <line
              className="plot-dotted"
              x1={plot.x(dense.flopPerByte)}
              x2={plot.x(dense.flopPerByte)}
              y1={plot.y(clampTo(y.domain, dense.gflops / 1000)) + 6}
              y2={plot.bottom}
            />
          )}
        </>
      )}
    </Chart>
  );
}

/** The data of the chart as a table. */
export function roofFigures(points: readonly RoofPoint[], titleOf: (format: string) => string): ChartTable {
  return {
    head: ['kernel', 'flop per byte', 'roof, Gflop/s', 'reached, Gflop/s', 'predicted', 'measured', 'of its roof'],
    rows: points.map((p) => ({
      name: nameOf(p, titleOf),
      cells: [
        threeDigits(p.flopPerByte),
        threeDigits(p.roofGflops),
        p.measured ? threeDigits(p.gflops) : '–',
        time(p.prediction.ns),
        p.measured ? time(p.measured.ns) : '–',
        p.measured ? percent(shareOfRoof(p) ?? 0, 0) : '–',
      ],
      values: [
        nameOf(p, titleOf),
        p.flopPerByte,
        p.roofGflops,
        p.measured ? p.gflops : null,
        p.prediction.ns,
        p.measured?.ns ?? null,
        shareOfRoof(p),
      ],
    })),
  };
}

function nameOf(point: RoofPoint, titleOf: (format: string) => string): string {
  const values = Object.values(point.params).join(' ');
  const tokens = point.tokens === null ? '' : `, ${tokensText(point.tokens)}`;
  return `${titleOf(point.format)} ${point.kernelId === '' ? 'predicted' : point.kernelId} ${values}${tokens}`;
}

interface TrailProps extends PartProps {
  readonly points: ReturnType<typeof trail>;
  readonly titleOf: (format: string) => string;
  readonly yAxis: Axis;
}

/** Dots where the chosen kernel would be with other numbers of tokens, if one read of the matrix served all tokens. */
function Trail({ plot, points, roofline: { point, choices }, titleOf, yAxis }: TrailProps) {
  if (point === null) return null;
  const color = cssColorOf(point.format);
  // Only a dot on the slope is labelled: the level roof has its own labels.
  const level = Math.max(...points.map(({ gflops }) => gflops)); // bounded: one for each stop of a trail
  const labelled = points.find(({ tokens, gflops }) => tokens > choices.tokens && gflops < 0.5 * level);
  return points
    .filter(({ tokens }) => tokens !== choices.tokens)
    .map((p) => {
      const [px, py] = [plot.x(p.flopPerByte), plot.y(clampTo(yAxis.domain, p.gflops / 1000))];
      return (
        <g key={p.tokens} style={{ color }}>
          <circle className="roof-trail stroke-[1.5px] fill-ground stroke-current" cx={px} cy={py} r={3.5} />
          {p === labelled && !plot.narrow && (
            <g style={{ fill: cssTextColorOf(point.format) }}>
              <path className="plot-leader fill-none stroke-muted" d={`M${px - 5} ${py}h-14`} />
              <text className="plot-name roof-own fill-[inherit] halo" x={px - 23} y={py - 6} textAnchor="end">
                {pointTitle(point, titleOf)} for {tokensText(p.tokens)},
              </text>
              <text className="plot-name roof-own fill-[inherit] halo" x={px - 23} y={py + 9} textAnchor="end">
                if one read serves them all
              </text>
            </g>
          )}
        </g>
      );
    });
}

/** A line through the speeds of each kernel that was measured with several numbers of tokens. */
function MeasuredTrails({ plot, roofline: { measured, choices }, yAxis }: PartProps & { readonly yAxis: Axis }) {
  const byFormat = new Map<string, Map<number, RoofPoint>>();
  for (const point of measured) {
    if (point.tokens === null) continue;
    const key = choiceOf(point);
    const byTokens = byFormat.get(key) ?? new Map<number, RoofPoint>();
    byFormat.set(key, byTokens);
    const fastest = byTokens.get(point.tokens);
    if (!fastest || timeOf(point) < timeOf(fastest)) byTokens.set(point.tokens, point);
  }
  return [...byFormat.entries()]
    .filter(([, byTokens]) => byTokens.size > 1)
    .map(([key, byTokens]) => {
      const points = [...byTokens.values()].toSorted((a, b) => (a.tokens ?? 0) - (b.tokens ?? 0));
      const positions = points.map((point) => ({
        point,
        px: plot.x(point.flopPerByte),
        py: plot.y(clampTo(yAxis.domain, point.gflops / 1000)),
      }));
      return (
        <g key={key} style={{ color: cssColorOf(points[0].format) }}>
          <path className="fill-none stroke-current" d={`M${positions.map(({ px, py }) => `${px} ${py}`).join('L')}`} />
          {positions
            .filter(({ point }) => point.tokens !== choices.tokens)
            .map(({ point, px, py }) => (
              <g key={point.id}>
                <circle className="roof-dot fill-current" cx={px} cy={py} r={3} />
                <text className="roof-many halo" x={px} y={py + 15} textAnchor="middle">
                  {point.tokens}
                </text>
              </g>
            ))}
        </g>
      );
    });
}
