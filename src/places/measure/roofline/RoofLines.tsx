import { type Arithmetic, ARITHMETIC_WORDS } from '../../../core/report.ts';
import { powersBetween } from '../../../kit/charts/axis.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import { textWidth } from '../../../kit/charts/label-room.ts';
import type { Plot } from '../../../kit/charts/plot.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { ridge } from '../../../theory/roofline/roofs.ts';
import { sourceText } from './roof-words.ts';
import type { Roofline } from './use-roofline.ts';
import { threeDigits } from '../../../core/story/words.ts';
import { bandwidth, flopRate, opRate } from '../../../kit/words/rates.ts';

/** How far a name may extend to the right of the plot, px. */
const OVERHANG = 20;

export interface PartProps {
  readonly plot: Plot;
  readonly roofline: Roofline;
}

export function Grid({ plot, x }: { readonly plot: Plot; readonly x: Axis }) {
  return powersBetween(x.domain[0], x.domain[1]).map((tick) => (
    <line key={tick} className="plot-grid" x1={plot.x(tick)} x2={plot.x(tick)} y1={plot.top} y2={plot.bottom} />
  ));
}

/** The slope up to an intensity, labelled with the read speed. */
export function Slope({
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
          reads {bandwidth(roofs.readGBps)}
          {plot.narrow ? '' : `, ${sourceText(by)}`}
        </text>
      )}
    </>
  );
}

function dashed(by: Roofline['device']['by']): '' | undefined {
  return by === 'data sheet' || by === 'typed' ? '' : undefined;
}

const ROOF_NAMES: Readonly<Record<Arithmetic, string>> = {
  f32: 'multiplies and adds',
  i8: 'dot products in i8',
  'i8-matrix': 'matrices in i8',
};

/** Slope, ridge and level roof of one kind of arithmetic. */
export function Roof(props: PartProps & { readonly kind: Arithmetic; readonly xAxis: Axis; readonly first: boolean }) {
  const { plot, roofline, kind, xAxis, first } = props;
  const { roofs, by } = roofline.device;
  const at = ridge(roofs, kind) ?? 0;
  const peak = roofs.peakGMAps[kind];
  const level = plot.y((2 * peak) / 1000);
  const [px, right] = [plot.x(at), plot.x(xAxis.domain[1])];
  const ridgeWords = `ridge ${threeDigits(at)}`;
  return (
    <>
      <Slope plot={plot} roofline={roofline} to={at} label={first} />
      <line className="roof-line" data-dashed={dashed(by)} x1={px} x2={right} y1={level} y2={level} />
      <text className="plot-name roof-name plot-halo" x={right} y={level - 7} textAnchor="end">
        {plot.narrow ? ARITHMETIC_WORDS[kind] : ROOF_NAMES[kind]}{' '}
        {kind === 'f32' ? flopRate(2 * peak) : opRate(2 * peak)}
        {plot.narrow ? '' : `, ${sourceText(by)}`}
      </text>
      {first && (
        <>
          <line className="plot-dotted" x1={px} x2={px} y1={level} y2={plot.bottom} />
          <circle className="plot-ring" cx={px} cy={level} r={4} />
          {/* Next to the ridge or, to stay inside the chart, below it. */}
          {px + 8 + textWidth(ridgeWords) < plot.right + OVERHANG ? (
            <text className="plot-name plot-halo" x={px + 8} y={level + 18}>
              {ridgeWords}
            </text>
          ) : (
            <text className="plot-name plot-halo" x={px - 8} y={plot.bottom - 26} textAnchor="end">
              {ridgeWords}
            </text>
          )}
          {!plot.narrow && (
            <>
              <text className="plot-name" x={px - 10} y={plot.bottom - 10} textAnchor="end">
                ← limited by bytes
              </text>
              {plot.right - px > 140 && (
                <text className="plot-name" x={px + 10} y={plot.bottom - 10}>
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

/** The useful share of the roof for a format that also multiplies zeros. */
export function DenseAtBest({ plot, roofline, xAxis }: PartProps & { readonly xAxis: Axis }) {
  const { subject, device } = roofline;
  const peak = device.roofs.peakGMAps.f32;
  if (subject === null || peak === undefined) return null;
  const useful = subject.nnz / Math.max(1, subject.rows * subject.cols);
  if (useful > 0.95 || useful === 0) return null;
  const gflops = 2 * peak * useful;
  const from = plot.x(gflops / device.roofs.readGBps);
  const [at, right] = [plot.y(gflops / 1000), plot.x(xAxis.domain[1])];
  if (at > plot.bottom) return null;
  const whole = `dense at best: ${percent(1 - useful, 0)} of its factors are zeros`;
  const words = 1.05 * textWidth(whole) < right - from ? whole : 'dense at best';
  return (
    <>
      <line className="roof-line roof-line--thin" data-dashed="" x1={from} x2={right} y1={at} y2={at} />
      <text className="plot-name plot-halo" x={right} y={at + 16} textAnchor="end">
        {words}
      </text>
    </>
  );
}
