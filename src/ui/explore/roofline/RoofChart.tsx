import { useMemo } from 'react';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { ridge, roofAt, trail } from '../../../theory/roofline/roofs.ts';
import { type Axis, clampTo, powersBetween } from '../../charts/axis.ts';
import { Chart } from '../../charts/Chart.tsx';
import type { Plot } from '../../charts/plot.ts';
import { type Box, freePlace, textWidth } from '../../charts/label-room.ts';
import { useTitleOf } from '../../bench/report/use-title-of.ts';
import { percent, time } from '../../parts/quantity.ts';
import { type RoofPoint, shareOfRoof, timeOf } from './roof-points.ts';
import { flopRate, intensityText, speedText, threeDigits, tokensText } from './roof-words.ts';
import type { Roofline } from './use-roofline.ts';

const HEIGHT = 560;
/** Points further below the roof than this are shown as an arrow at the foot of the chart. */
const DEEPEST = 16;

/** Every kernel hangs from its place on the roof of the device: the line's length is what it loses. */
export function RoofChart({ roofline }: { readonly roofline: Roofline }) {
  const { device, shown, measured, point, subject, dense, choices, choose } = roofline;
  const titleOf = useTitleOf();
  const { roofs } = device;
  const trails = useMemo(() => {
    if (subject === null || point === null || point.tokens === null) return [];
    return trail(roofs, 'f32', {
      nnz: subject.nnz,
      matrixBytes: point.bytes - point.vectorBytes,
      tokenBytes: point.vectorBytes / point.tokens,
      padding: point.multiplyAdds / (point.flop / 2),
    });
  }, [roofs, subject, point]);
  const { x, y } = useMemo(() => axesOf(roofline, trails), [roofline, trails]);
  const kinds = (['f32', 'i8'] as const).filter((kind) => roofs.peakGMAps[kind] !== undefined);
  const spoken = point
    ? `${titleOf(point.format)} does ${intensityText(point.flopPerByte)} flop for each byte and reaches ${flopRate(point.gflops)}, where the roof allows ${flopRate(point.roofGflops)}.`
    : 'A roof without kernels.';
  return (
    <Chart
      id="roofline"
      heading={{
        title: 'Roofline: useful arithmetic against flop per byte',
        caption: `${device.name}, ${sourceText(device.by)}; ${subject?.title ?? ''}; ${tokensText(choices.tokens)}`,
      }}
      spoken={spoken}
      x={x}
      y={y}
      height={HEIGHT}
      series={[]}
      figures={() => ({
        head: ['kernel', 'flop per byte', 'roof, Gflop/s', 'reached, Gflop/s', 'predicted', 'measured', 'of its roof'],
        rows: [...new Set([...shown, ...measured])].map((p) => ({
          name: nameOf(p, titleOf),
          cells: [
            intensityText(p.flopPerByte),
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
      })}
    >
      {(plot) => (
        <>
          <Grid plot={plot} x={x} />
          {kinds.map((kind, i) => (
            <Roof key={kind} plot={plot} roofline={roofline} kind={kind} xAxis={x} first={i === 0} />
          ))}
          {kinds.length === 0 && <Slope plot={plot} roofline={roofline} to={x.domain[1]} />}
          <DenseAtBest plot={plot} roofline={roofline} xAxis={x} />
          <Trail plot={plot} points={trails} roofline={roofline} titleOf={titleOf} yAxis={y} />
          <MeasuredTrails plot={plot} roofline={roofline} yAxis={y} />
          <Points
            plot={plot}
            yAxis={y}
            points={shown}
            chosen={point}
            titleOf={titleOf}
            onChoose={(format) => choose({ format })}
          />
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

function sourceText(by: Roofline['device']['by']): string {
  return by === 'measured here' ? 'measured' : by === 'data sheet' ? 'by its data sheet' : by;
}

/** 'MACKO macko/spmv_staged, 1 token' */
function nameOf(point: RoofPoint, titleOf: (format: string) => string): string {
  const values = Object.values(point.params).join(' ');
  const tokens = point.tokens === null ? '' : `, ${tokensText(point.tokens)}`;
  return `${titleOf(point.format)} ${point.kernel === '' ? 'predicted' : point.kernel} ${values}${tokens}`;
}

/** Log axes that hold every kernel, the ridge and the trail; what lies too deep is clamped. */
function axesOf(
  { device: { roofs }, shown, measured }: Roofline,
  trails: ReturnType<typeof trail>,
): { readonly x: Axis; readonly y: Axis } {
  const ridges = ['f32', 'i8'].flatMap((kind) => ridge(roofs, kind) ?? []);
  const all = [...shown, ...measured];
  const places = [...all.map((p) => p.flopPerByte), ...trails.map((p) => p.flopPerByte)];
  const left = smallest(
    places.map((p) => p / 2),
    0.15,
  );
  const right = largest(
    [...places, ...ridges].map((p) => p * 2),
    100,
  );
  const top = largest(
    [...all.map((p) => p.roofGflops), ...Object.values(roofs.peakGMAps).map((peak) => 2 * peak)],
    roofAt(roofs, 'f32', right),
  );
  const deepest = smallest(
    all.map((p) => Math.max(p.gflops, p.roofGflops / DEEPEST)),
    roofAt(roofs, 'f32', left),
  );
  const low = Math.min(roofAt(roofs, 'f32', left), deepest) / 1.6;
  const xDomain = [left, right] as const;
  const yDomain = [low / 1000, (top / 1000) * 2] as const;
  return {
    x: { scale: 'log', domain: xDomain, ticks: ticksBetween(xDomain), text: plain, title: 'flop per byte read' },
    y: {
      scale: 'log',
      domain: yDomain,
      ticks: powersBetween(yDomain[0], yDomain[1]),
      text: plain,
      title: 'Useful arithmetic, Tflop/s',
    },
  };
}

function ticksBetween([low, high]: readonly [number, number]): readonly number[] {
  return powersBetween(low / 10, high).flatMap((power) =>
    [1, 2, 5].map((n) => n * power).filter((tick) => tick >= low && tick <= high),
  );
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

interface PartProps {
  readonly plot: Plot;
  readonly roofline: Roofline;
}

function Grid({ plot, x }: { readonly plot: Plot; readonly x: Axis }) {
  return powersBetween(x.domain[0], x.domain[1]).map((tick) => (
    <line key={tick} className="plot-grid" x1={plot.x(tick)} x2={plot.x(tick)} y1={plot.top} y2={plot.bottom} />
  ));
}

/** The slope up to an intensity, with the read speed along it. */
function Slope({
  plot,
  roofline: { device },
  to,
  label = true,
}: PartProps & { readonly to: number; readonly label?: boolean }) {
  const { x, y, left } = plot;
  const { roofs, by } = device;
  const from = x.invert(left + 8);
  const [x1, y1, x2, y2] = [x(from), y((from * roofs.readGBps) / 1000), x(to), y((to * roofs.readGBps) / 1000)];
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [mx, my] = [x1 + (x2 - x1) * 0.78, y1 + (y2 - y1) * 0.78];
  return (
    <>
      <line className="roof-line" data-dashed={dashed(by)} x1={x1} y1={y1} x2={x2} y2={y2} />
      {label && (
        <text
          className="plot-name roof-name"
          textAnchor="middle"
          transform={`translate(${mx - 6} ${my - 7}) rotate(${angle})`}
        >
          reads {speedText(roofs.readGBps)}
          {plot.narrow ? '' : `, ${sourceText(by)}`}
        </text>
      )}
    </>
  );
}

function dashed(by: Roofline['device']['by']): '' | undefined {
  return by === 'data sheet' || by === 'typed' ? '' : undefined;
}

/** Slope, ridge and the level roof of one kind of arithmetic. */
function Roof(props: PartProps & { readonly kind: 'f32' | 'i8'; readonly xAxis: Axis; readonly first: boolean }) {
  const { plot, roofline, kind, xAxis, first } = props;
  const { roofs, by } = roofline.device;
  const at = ridge(roofs, kind) ?? 0;
  const peak = roofs.peakGMAps[kind];
  const level = plot.y((2 * peak) / 1000);
  const [px, right] = [plot.x(at), plot.x(xAxis.domain[1])];
  const words = kind === 'i8' ? 'dot products in i8' : 'multiplies and adds';
  return (
    <>
      <Slope plot={plot} roofline={roofline} to={at} label={first} />
      <line className="roof-line" data-dashed={dashed(by)} x1={px} x2={right} y1={level} y2={level} />
      <text className="plot-name roof-name plot-halo" x={right} y={level - 7} textAnchor="end">
        {plot.narrow ? kind : words} {threeDigits((2 * peak) / 1000)} T{kind === 'i8' ? 'op' : 'flop'}/s
        {plot.narrow ? '' : `, ${sourceText(by)}`}
      </text>
      {first && (
        <>
          <line className="plot-dotted" x1={px} x2={px} y1={level} y2={plot.bottom} />
          <circle className="plot-ring" cx={px} cy={level} r={4} />
          <text className="plot-name plot-halo" x={px + 8} y={level + 18}>
            ridge {intensityText(at)}
          </text>
          {!plot.narrow && (
            <>
              <text className="plot-name" x={px - 10} y={plot.bottom - 10} textAnchor="end">
                ← bytes decide
              </text>
              {plot.right - px > 140 && (
                <text className="plot-name" x={px + 10} y={plot.bottom - 10}>
                  arithmetic decides →
                </text>
              )}
            </>
          )}
        </>
      )}
    </>
  );
}

/** What is left of the roof for a format that multiplies zeros as well. */
function DenseAtBest({ plot, roofline, xAxis }: PartProps & { readonly xAxis: Axis }) {
  const { subject, device } = roofline;
  const peak = device.roofs.peakGMAps.f32;
  if (subject === null || peak === undefined) return null;
  const useful = subject.nnz / Math.max(1, subject.rows * subject.cols);
  if (useful > 0.95 || useful === 0) return null;
  const gflops = 2 * peak * useful;
  const from = plot.x(gflops / device.roofs.readGBps);
  const [at, right] = [plot.y(gflops / 1000), plot.x(xAxis.domain[1])];
  if (at > plot.bottom) return null;
  return (
    <>
      <line className="roof-line roof-line--thin" data-dashed="" x1={from} x2={right} y1={at} y2={at} />
      <text className="plot-name plot-halo" x={right} y={at + 16} textAnchor="end">
        dense at best{plot.narrow ? '' : `: ${percent(1 - useful, 0)} of its factors are zeros`}
      </text>
    </>
  );
}

interface TrailProps extends PartProps {
  readonly points: ReturnType<typeof trail>;
  readonly titleOf: (format: string) => string;
  readonly yAxis: Axis;
}

/** Where the chosen format would go with more tokens, if one read of the matrix served all of them. */
function Trail({ plot, points, roofline: { point, choices }, titleOf, yAxis }: TrailProps) {
  if (point === null) return null;
  const color = `var(--format-${point.format}, var(--text-muted))`;
  // On the slope alone: along the level roof stand its own words.
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
            <g style={{ fill: `var(--format-${point.format}-text, var(--text-muted))` }}>
              <path className="plot-leader" d={`M${px - 5} ${py}h-14`} />
              <text className="plot-name roof-own plot-halo" x={px - 23} y={py - 6} textAnchor="end">
                {titleOf(point.format)} for {tokensText(p.tokens)},
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

/** Lines through what a format reached with more and more tokens, where it was measured with several. */
function MeasuredTrails({ plot, roofline: { measured, choices }, yAxis }: PartProps & { readonly yAxis: Axis }) {
  const byFormat = new Map<string, Map<number, RoofPoint>>();
  for (const point of measured) {
    if (point.tokens === null) continue;
    const key = `${point.format} ${point.arithmetic}`;
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
        <g key={key} style={{ color: `var(--format-${points[0].format}, var(--text-muted))` }}>
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

interface PointsProps {
  readonly plot: Plot;
  readonly yAxis: Axis;
  readonly points: readonly RoofPoint[];
  readonly chosen: RoofPoint | null;
  readonly titleOf: (format: string) => string;
  readonly onChoose: (format: string) => void;
}

/** Every kernel, hanging from its place on the roof. The list beside the chart has the same, for the keyboard. */
function Points({ plot, yAxis, points, chosen, titleOf, onChoose }: PointsProps) {
  const placed = points.map((point) => {
    const [low, high] = yAxis.domain;
    const deep = point.gflops / 1000 < low;
    return {
      point,
      deep,
      px: plot.x(point.flopPerByte),
      py: deep ? plot.bottom - 24 : plot.y(clampTo([low, high], point.gflops / 1000)),
      roof: plot.y(clampTo([low, high], point.roofGflops / 1000)),
    };
  });
  // Neither on a point nor across the line that another one hangs from.
  const taken: Box[] = placed.flatMap(({ px, py, roof }) => [
    { left: px - 6, top: py - 6, width: 12, height: 12 },
    { left: px - 1, top: Math.min(roof, py), width: 2, height: Math.abs(py - roof) },
  ]);
  const order = placed.toSorted((a, b) => Number(b.point === chosen) - Number(a.point === chosen));
  const labels = new Map(
    order.map(({ point, px, py }) => {
      const share = shareOfRoof(point);
      const words = share === null ? 'predicted' : percent(share, 0);
      const title = titleOf(point.format) + (point.arithmetic === 'i8' ? ' in i8' : '');
      const width = textWidth(`${title} ${words}`);
      const places = [
        { dx: 12, dy: 4, end: false },
        { dx: -12, dy: 4, end: true },
        { dx: 12, dy: 20, end: false },
        { dx: -12, dy: 20, end: true },
        { dx: 12, dy: -12, end: false },
        { dx: -12, dy: -12, end: true },
        { dx: 12, dy: 36, end: false },
        { dx: -12, dy: 36, end: true },
        { dx: 12, dy: 52, end: false },
        { dx: -12, dy: 52, end: true },
      ].map((place) => ({
        ...place,
        left: place.end ? px + place.dx - width : px + place.dx,
        top: py + place.dy - 12,
        width,
        height: 15,
      }));
      const inside = places.filter(
        (b) => b.left >= plot.left && b.left + b.width <= plot.right + 20 && b.top + 15 <= plot.bottom,
      );
      const place = freePlace(inside, taken);
      if (place) taken.push(place);
      return [point, { place, title, words }] as const;
    }),
  );
  return placed.map(({ point, deep, px, py, roof }) => {
    const color = `var(--format-${point.format}, var(--text-muted))`;
    const label = labels.get(point);
    const isChosen = point === chosen;
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the buttons of the list do the same for the keyboard
      <g key={point.id} className="roof-point" style={{ color }} onClick={() => onChoose(point.format)}>
        <rect className="roof-target" x={px - 12} y={py - 12} width={24} height={24} />
        {deep ? (
          <path className="roof-hang" d={`M${px} ${py - 14}v26m-4 -5l4 5l4 -5`} />
        ) : (
          <>
            <path
              className="roof-hang"
              data-dashed={point.measured === null ? '' : undefined}
              data-chosen={isChosen ? '' : undefined}
              d={`M${px - 4} ${roof}h8M${px} ${roof}V${py}`}
            />
            {isChosen && <circle className="plot-ring" cx={px} cy={py} r={9} />}
            <circle className={point.measured === null ? 'roof-trail' : 'roof-dot'} cx={px} cy={py} r={4.5} />
          </>
        )}
        {label?.place && (
          <text
            className="plot-name plot-halo"
            x={px + label.place.dx}
            y={py + label.place.dy}
            textAnchor={label.place.end ? 'end' : 'start'}
          >
            <tspan style={{ fill: `var(--format-${point.format}-text, var(--text-muted))`, fontWeight: 600 }}>
              {label.title}
            </tspan>{' '}
            {label.words}
          </text>
        )}
      </g>
    );
  });
}
