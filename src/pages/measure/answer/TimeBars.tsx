import { scaleLinear } from 'd3-scale';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { asMessage, type Device } from '../../../state/index.ts';
import { largest } from '../../../core/number/statistics.ts';
import { counted, countText } from '../../../core/text/words.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { greyOf, substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { bytes as bytesText, percent, time } from '../../../kit/words/quantity.ts';
import { type DeviceBounds, extraBytes, isMeaningful } from '../../../kit/report/time-bound.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { isOfSimpleKernel, SIMPLE_KERNEL } from '../../../kit/words/speed-of.ts';
import type { MeasuredPair } from './use-measured.ts';
import type { AllTimes, TimedFormat } from './all-times.ts';
import { Button } from '../../../kit/controls/Button.tsx';
import { classes } from '../../../kit/primitives/classes.ts';

/** Length of the longest bar, as a share of the width; the rest is for the figures next to the bar. */
const MAX_LENGTH = 0.86;

/** Approximate number of ticks on the axis of times. */
const TICKS = 4;

/** The bar of format A or B, or of any format in a run of all. */
interface Bar {
  readonly measuredSide: TimedFormat;
  readonly ns: number | null;
  /** the solid part: the time to read the bytes alone; without a measured time, the lower bound on the time */
  readonly solidNs: number | null;
}

interface TimeBarsProps {
  readonly measuredPair: MeasuredPair;
  readonly device: Device;
  readonly isRunning: boolean;
  /** the times of a run of more formats, which are then all drawn, the fastest first */
  readonly all?: AllTimes | null;
}

/** The times of formats A and B, or of all of a run, as bars: solid for reading their bytes, pale for the rest. */
export function TimeBars({ measuredPair, device, isRunning, all = null }: TimeBarsProps) {
  const sides: readonly TimedFormat[] =
    all?.timedFormats ?? measuredPair.sides.map((measuredSide) => ({ ...measuredSide, key: measuredSide.side }));
  const { roofs } = device;
  const readGBps = sides.some(({ bound }) => bound !== null) ? (roofs?.readGBps ?? null) : null;
  const bars = sides.map((measuredSide): Bar => {
    const ns = measuredSide.timedRow?.row.medianNs ?? null;
    const solidNs = ns === null ? (measuredSide.bound?.ns ?? null) : readNs(measuredSide, roofs);
    return { measuredSide, ns, solidNs };
  });
  const maxNs = largest([0, ...bars.flatMap(({ ns, solidNs }) => [ns ?? 0, solidNs ?? 0])]);
  // `nice`: the axis ends with a tick.
  const scale = scaleLinear([0, maxNs / MAX_LENGTH], [0, 100]).nice(TICKS);
  const isMeasured = bars.some(({ ns }) => ns !== null);
  // If both bounds are the time of an empty dispatch, the bars would be equally long.
  if (!isMeasured && !isRunning && !sides.some(({ bound }) => bound?.cause === 'bytes'))
    return <CannotStore sides={sides} />;
  return (
    <section aria-label="Time of one product">
      <div className="section-head flex items-baseline justify-between gap-3 mb-2 min-h-6">
        <h2>
          {productText(measuredPair)}{' '}
          <span className="section-caption">{captionOf(readGBps, isMeasured, maxNs > 0)}</span>
        </h2>
      </div>
      <ul className={classes('grid relative', all === null && 'gap-3')} data-all={all === null ? undefined : ''}>
        {bars.map((bar) => (
          <BarRow
            key={bar.measuredSide.key}
            bar={bar}
            matrix={measuredPair.matrix}
            x={scale}
            isRunning={isRunning}
            isLow={all !== null}
          />
        ))}
      </ul>
      {maxNs > 0 && (
        <div
          className="time-axis mt-2 ms-40 me-32 @max-[44rem]:ms-0 @max-[44rem]:me-34 h-6 text-muted text-12 font-mono relative border-t border-hairline"
          aria-hidden="true"
        >
          {scale.ticks(TICKS).map((tick, i, ticks) => (
            <span
              className="pt-0.5 -translate-x-1/2 first:translate-x-0 whitespace-nowrap absolute"
              key={tick}
              style={{ insetInlineStart: `${scale(tick)}%` }}
            >
              {tickText(tick, i === ticks.length - 1, maxNs)}
            </span>
          ))}
        </div>
      )}
      {all === null ? <CannotStore sides={sides} /> : <OtherFormats all={all} />}
    </section>
  );
}

/** Below the bars of a run of all formats: those that are still to be timed, and why others have no time. */
function OtherFormats({ all: { untimedFormats, waitingNames } }: { readonly all: AllTimes }) {
  return (
    <ul className="grid gap-1 mt-2 text-muted text-13">
      {waitingNames.length > 0 && <li>Still to run: {waitingNames.join(', ')}</li>}
      {untimedFormats.map(({ name, reason }) => (
        <li key={`${name} ${reason}`}>
          <b className="font-medium text-ink">{name}</b> has no time: {asMessage(reason)}
        </li>
      ))}
    </ul>
  );
}

/** 'One product, one token'; for a block its tokens, and its width if it was timed */
function productText({ matrix: { tokens, rows, isBlock }, sides: [a] }: MeasuredPair): string {
  if (!isBlock) return `One product, ${tokens === 1 ? 'one token' : `${tokens} tokens`}`;
  const width = a.timedRow?.report.workload.sizes?.width;
  return `One feed-forward block, ${counted(rows, 'token')}${width === undefined ? '' : `, ${countText(width)} wide`}`;
}

/** '15', and the last one with its unit: '30 µs' */
function tickText(ns: number, isLast: boolean, maxNs: number): string {
  const [size, unit] = maxNs >= 1e9 ? [1e9, 's'] : maxNs >= 1e6 ? [1e6, 'ms'] : maxNs >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${Number((ns / size).toPrecision(3))}${isLast ? `\u202f${unit}` : ''}`;
}

/** Why a format cannot store the matrix, and a button that prunes it, or another remedy as text. */
function CannotStore({ sides }: { readonly sides: readonly TimedFormat[] }) {
  const { session } = useApp();
  const isOpening = useSession((s) => s.opening !== null);
  const rejected = sides.flatMap(({ side, name, rejection }) => (rejection ? [{ side, name, rejection }] : []));
  if (rejected.length === 0) return null;
  return (
    <ul className="grid gap-2 text-13 mt-3" aria-label="Not supported">
      {rejected.map(({ side, name, rejection: { reason, remedy, prune } }) => (
        <li className="flex flex-wrap items-center gap-y-1 gap-x-4" key={side}>
          <span>
            <b>{name}</b> {asMessage(reason)}
          </span>
          {prune ? (
            <Button disabled={isOpening} onClick={() => void session.prune({ way: 'n-of-m', ...prune })}>
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

/** The time for reading the bytes that a product moves, at the device's read speed; null if unknown, and for a CPU. */
function readNs({ bytes, bound }: TimedFormat, roofs: DeviceBounds | null): number | null {
  return bytes === null || bound === null || roofs === null ? null : bytes / roofs.readGBps;
}

/** The caption: the meaning of a bar's parts, or the source of the times. */
function captionOf(readGBps: number | null, isMeasured: boolean, hasBars: boolean): string {
  if (!hasBars || readGBps === null) return isMeasured ? 'median of all rounds' : 'not timed yet';
  return isMeasured
    ? 'solid: least time to read the bytes; pale: the rest'
    : `reading the bytes at ${bandwidth(readGBps)}`;
}

interface BarRowProps {
  readonly bar: Bar;
  readonly matrix: MeasuredPair['matrix'];
  readonly x: (ns: number) => number;
  readonly isRunning: boolean;
  /** a low row without its bytes, since there are many */
  readonly isLow: boolean;
}

/** A format's name and bytes, its bar on the scale that both formats share, and its figures. */
function BarRow({ bar: { measuredSide, ns, solidNs }, matrix, x, isRunning, isLow }: BarRowProps) {
  const { side, format, name, matrixBytes, isCounted, timedRow } = measuredSide;
  // Times that are not from a graphics card are grey, with the label 'software' or 'CPU'.
  const substitute = timedRow && substituteOf(timedRow.report);
  const color = substitute === null ? cssColorOf(format.id) : greyOf();
  const solid = solidNs === null ? null : Math.min(solidNs, ns ?? solidNs);
  const end = Math.max(ns ?? 0, solid ?? 0);
  const extraKernelBytes = extraBytes(timedRow, matrixBytes, matrix);
  return (
    <li
      className={classes(
        'time-bar grid grid-cols-[10rem_minmax(0,1fr)] @max-[44rem]:grid-cols-1 @max-[44rem]:gap-y-1 items-center',
        isLow ? 'min-h-8' : 'min-h-12',
      )}
      style={{ color }}
    >
      <div className="grid grid-cols-[auto_1fr] @max-[44rem]:grid-cols-[auto_auto_1fr] items-center gap-x-2">
        <span
          className={classes(
            'w-4.5 rounded-[4px] text-12 text-center font-semibold',
            side !== null && 'shadow-[inset_0_0_0_1.5px_var(--strong)]',
            side === 'a' ? 'bg-(--strong) text-on-strong' : 'text-ink',
          )}
          aria-hidden="true"
        >
          {side?.toUpperCase()}
        </span>
        <b style={{ color: cssTextColorOf(format.id) }}>{name}</b>
        <span className={classes('text-muted text-12 col-2 @max-[44rem]:col-3', isLow && 'unseen')}>
          {matrixBytes === null ? '–' : `${isCounted ? '' : 'about '}${bytesText(matrixBytes)}`}
          {isOfSimpleKernel(format, timedRow?.row) && `, ${SIMPLE_KERNEL}`}
          {extraKernelBytes > 0 && `; this kernel reads ${bytesText(extraKernelBytes)} more`}
        </span>
      </div>
      {/* The margin is for the time next to the longest bar. */}
      <div className={classes('relative me-32 @max-[44rem]:me-34', isLow ? 'h-5' : 'h-10 @max-[44rem]:h-8')}>
        {ns !== null && (
          <span
            className="absolute inset-y-0 start-0 bg-[color-mix(in_oklab,currentcolor_26%,var(--ground))]"
            style={{ inlineSize: `${x(ns)}%` }}
          />
        )}
        {solid !== null && (
          <span
            className="time-bar-strong @container flex items-center justify-end pe-2 whitespace-nowrap overflow-hidden absolute inset-y-0 start-0 bg-current data-alone:bg-[color-mix(in_oklab,currentcolor_55%,var(--ground))]"
            data-alone={ns === null || undefined}
            style={{ inlineSize: `${x(solid)}%` }}
          >
            {ns !== null && !isLow && (
              // On the page's background: not every format's colour has enough contrast for text.
              <span
                className="px-1 @max-[4.5rem]:hidden text-ink text-12 font-mono bg-ground rounded-[3px]"
                aria-hidden="true"
              >
                {time(solid)}
              </span>
            )}
          </span>
        )}
        {ns === null && (isRunning || solid === null) && (
          <span className="absolute inset-y-0 start-0 w-[86%] rounded-[3px] border border-dashed border-(--ghost)" />
        )}
        {ns !== null && (
          <span className="absolute -inset-y-1 w-0.5 -ms-px bg-ink" style={{ insetInlineStart: `${x(ns)}%` }} />
        )}
        <p
          className={classes(
            'time-bar-figures leading-[1.3] grid text-15 absolute top-1/2 -translate-y-1/2 ps-3 w-max max-w-[calc(var(--beyond)+8rem)]',
            substitute === null ? 'text-ink' : 'text-quiet',
          )}
          style={{ insetInlineStart: `${x(end)}%`, '--beyond': `${100 - x(end)}%` }}
        >
          {ns !== null && <b className="whitespace-nowrap">{withSubstitute(time(ns), substitute)}</b>}
          <span className={isLow ? 'unseen' : 'text-muted text-12'}>
            {detailOf(measuredSide, ns, solidNs, isRunning)}
          </span>
        </p>
      </div>
    </li>
  );
}

/** The text below a time: the share of the read speed; only for A it states whose. Without a time: the reason. */
function detailOf(
  { side, format, rejection, runRejection, timedRow, bound }: TimedFormat,
  ns: number | null,
  solidNs: number | null,
  isRunning: boolean,
): string {
  if (ns !== null) {
    if (timedRow?.row.cached) return 'from a cache';
    const readSpeed = side === 'a' ? 'the card’s read speed' : 'read speed';
    return solidNs === null ? '' : `${percent(solidNs / ns, 0)} of ${readSpeed}`;
  }
  if (rejection) return 'cannot store this matrix';
  if (runRejection !== null) return 'not timed in a run';
  if (isRunning) return 'not timed yet';
  // A user's format has its kernel on the page Code, which times the kernel.
  const why = format.kernels.length === 0 ? 'no kernel here' : 'not timed';
  if (bound === null || bound.cause === 'dispatch') return why;
  return isMeaningful(bound) ? `${why}; by bytes, at least ${time(bound.ns)}` : `${why}; read in less than 1\u202fµs`;
}
