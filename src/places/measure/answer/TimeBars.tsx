import { scaleLinear } from 'd3-scale';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { asSentence } from '../../../state/index.ts';
import { largest } from '../../../core/number/statistics.ts';
import { counted, countText } from '../../../core/story/words.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { greyOf, substituteOf, withMark } from '../../../kit/words/substitute.ts';
import { bytes as bytesText, percent, time } from '../../../kit/words/quantity.ts';
import { type DeviceBounds, isMeaningful } from '../../../kit/report/time-bound.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { isOfSimpleKernel, SIMPLE_KERNEL } from '../../../kit/words/simple-kernel.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { MeasuredPair, MeasuredSide } from './use-measured.ts';
import { Button } from '../../../kit/controls/Button.tsx';

/** Length of the longest bar, as a share of the room: the figures beside it need the rest. */
const LONGEST = 0.86;

interface Bar {
  readonly measuredSide: MeasuredSide;
  readonly ns: number | null;
  /** the time for reading the bytes alone; without a measured time, the bound, which may be an empty dispatch */
  readonly solidNs: number | null;
}

interface TimeBarsProps {
  readonly measured: MeasuredPair;
  readonly device: Device;
  readonly isRunning: boolean;
}

/** The times of A and B, one below the other: solid for their bytes alone, pale for the rest. */
export function TimeBars({ measured, device, isRunning }: TimeBarsProps) {
  const { sides } = measured;
  const bounding = device.roofs;
  const readGBps = sides.some(({ bound }) => bound !== null) ? (bounding?.readGBps ?? null) : null;
  const bars = sides.map((measuredSide): Bar => {
    const ns = measuredSide.timed?.row.medianNs ?? null;
    const solidNs = ns === null ? (measuredSide.bound?.ns ?? null) : readNs(measuredSide, bounding);
    return { measuredSide, ns, solidNs };
  });
  const longest = largest(
    bars.flatMap(({ ns, solidNs }) => [ns ?? 0, solidNs ?? 0]),
    0,
  );
  const scale = scaleLinear([0, longest / LONGEST], [0, 100]);
  const isMeasured = bars.some(({ ns }) => ns !== null);
  // Bars of the lower bound that every kernel has would be equally long.
  if (!isMeasured && !isRunning && !sides.some(({ bound }) => bound?.by === 'bytes')) return <Refused sides={sides} />;
  const product = productText(measured);
  return (
    <section className="time-bars" aria-label="Time of one product">
      <div className="section-head flex items-baseline justify-between gap-3 mb-2 min-h-6">
        <h2>
          {product} <span className="section-caption">{captionOf(readGBps, isMeasured, longest > 0)}</span>
        </h2>
      </div>
      <ul className="grid gap-3 relative">
        {bars.map((bar) => (
          <BarRow key={bar.measuredSide.side} bar={bar} x={scale} isRunning={isRunning} />
        ))}
      </ul>
      {longest > 0 && (
        <div
          className="time-bars-axis text-muted text-12 font-mono relative border-t border-hairline"
          aria-hidden="true"
        >
          {scale.ticks(2).map((tick, i, all) => (
            <span className="whitespace-nowrap absolute" key={tick} style={{ insetInlineStart: `${scale(tick)}%` }}>
              {tickText(tick, i === all.length - 1, longest)}
            </span>
          ))}
        </div>
      )}
      <Refused sides={sides} />
    </section>
  );
}

/** 'One product, one token'; for a block its tokens, and its width if it was timed */
function productText({ matrix: { tokens, rows, isBlock }, sides: [a] }: MeasuredPair): string {
  if (!isBlock) return `One product, ${tokens === 1 ? 'one token' : `${tokens} tokens`}`;
  const width = a.timed?.report.workload.sizes?.width;
  return `One feed-forward block, ${counted(rows, 'token')}${width === undefined ? '' : `, ${countText(width)} wide`}`;
}

/** '15', and the last one with its unit: '30 µs' */
function tickText(ns: number, isLast: boolean, longest: number): string {
  const [size, unit] =
    longest >= 1e9 ? [1e9, 's'] : longest >= 1e6 ? [1e6, 'ms'] : longest >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${Number((ns / size).toPrecision(3))}${isLast ? `\u202f${unit}` : ''}`;
}

/** Why a side cannot store the matrix, with an action. */
function Refused({ sides }: { readonly sides: readonly MeasuredSide[] }) {
  const { session } = useApp();
  const opening = useSession((s) => s.opening !== null);
  const refused = sides.flatMap(({ side, name, refusal }) => (refusal ? [{ side, name, refusal }] : []));
  if (refused.length === 0) return null;
  return (
    <ul className="measure-refused grid gap-2 text-13 mt-3" aria-label="Refused">
      {refused.map(({ side, name, refusal: { reason, remedy, prune } }) => (
        <li className="flex flex-wrap items-center gap-y-1 gap-x-4" key={side}>
          <span>
            <b>{name}</b> {asSentence(reason)}
          </span>
          {prune ? (
            <Button disabled={opening} onClick={() => void session.prune({ way: 'n-of-m', ...prune })}>
              Prune the matrix to {prune.kept}:{prune.group}
            </Button>
          ) : (
            remedy && <span className="text-muted">{remedy}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The time for reading the bytes that a product moves, at the device's read speed; null if either is unknown. */
function readNs({ bytes, bound }: MeasuredSide, bounding: DeviceBounds | null): number | null {
  return bytes === null || bound === null || bounding === null ? null : bytes / bounding.readGBps;
}

function captionOf(readGBps: number | null, isMeasured: boolean, isKnown: boolean): string {
  if (!isKnown || readGBps === null) return isMeasured ? 'median of all rounds' : 'not timed yet';
  return isMeasured
    ? 'strong: reading the bytes; pale: everything else'
    : `reading the bytes at ${bandwidth(readGBps)}`;
}

interface BarRowProps {
  readonly bar: Bar;
  readonly x: (ns: number) => number;
  readonly isRunning: boolean;
}

function BarRow({ bar: { measuredSide, ns, solidNs }, x, isRunning }: BarRowProps) {
  const { side, format, name, matrixBytes, isCounted, timed } = measuredSide;
  const mark = timed && substituteOf(timed.report);
  const color = mark === null ? cssColorOf(format.id) : greyOf();
  const solid = solidNs === null ? null : Math.min(solidNs, ns ?? solidNs);
  const end = Math.max(ns ?? 0, solid ?? 0);
  return (
    <li className="time-bar grid items-center min-h-12" style={{ color }} data-grey={mark !== null || undefined}>
      <div className="time-bar-name grid items-center gap-x-2">
        <span
          className="side-badge rounded-[4px] text-12 font-semibold text-on-strong"
          data-side={side}
          aria-hidden="true"
        >
          {side.toUpperCase()}
        </span>
        <b style={{ color: cssTextColorOf(format.id) }}>{name}</b>
        <span className="time-bar-bytes text-muted text-12 col-2">
          {matrixBytes === null ? '–' : `${isCounted ? '' : 'about '}${bytesText(matrixBytes)}`}
          {isOfSimpleKernel(format, timed?.row) && `, ${SIMPLE_KERNEL}`}
        </span>
      </div>
      <div className="time-bar-track relative">
        {ns !== null && <span className="time-bar-pale absolute" style={{ inlineSize: `${x(ns)}%` }} />}
        {solid !== null && (
          <span
            className="time-bar-solid @container flex items-center justify-end whitespace-nowrap overflow-hidden absolute"
            data-alone={ns === null || undefined}
            style={{ inlineSize: `${x(solid)}%` }}
          >
            {ns !== null && (
              <span className="text-ink text-12 font-mono bg-ground rounded-[3px]" aria-hidden="true">
                {time(solid)}
              </span>
            )}
          </span>
        )}
        {ns === null && (isRunning || solid === null) && <span className="time-bar-coming rounded-[3px] absolute" />}
        {ns !== null && <span className="time-bar-end absolute" style={{ insetInlineStart: `${x(ns)}%` }} />}
        <p
          className="time-bar-figures leading-[1.3] grid text-ink text-15 absolute ps-3 w-max"
          style={{ insetInlineStart: `${x(end)}%`, '--beyond': `${100 - x(end)}%` }}
        >
          {ns !== null && <b className="whitespace-nowrap">{withMark(time(ns), mark)}</b>}
          <span className="text-muted text-12">{detailOf(measuredSide, ns, solidNs, isRunning)}</span>
        </p>
      </div>
    </li>
  );
}

/** Below a time: the share of it that reading takes, or why there is none. */
function detailOf(
  { side, format, refusal, untimed, timed, bound }: MeasuredSide,
  ns: number | null,
  solidNs: number | null,
  isRunning: boolean,
): string {
  if (ns !== null) {
    if (timed?.row.cached) return 'from a cache';
    return solidNs === null ? '' : `reads at ${percent(solidNs / ns, 0)}${side === 'a' ? ' of what the card can' : ''}`;
  }
  if (refusal) return 'cannot store this matrix';
  if (untimed !== null) return 'refused';
  if (isRunning) return 'not timed yet';
  // A format that a person wrote: its kernel is written, and timed, in Code.
  const why = format.kernels.length === 0 ? 'no kernel here' : 'not timed';
  if (bound === null || bound.by === 'dispatch') return why;
  return isMeaningful(bound) ? `${why}; by bytes, at least ${time(bound.ns)}` : `${why}; read in less than 1\u202fµs`;
}
