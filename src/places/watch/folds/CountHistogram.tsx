import { useState } from 'react';
import { countText } from '../../../core/story/words.ts';
import { CountChart } from '../../../kit/charts/CountChart.tsx';
import { type Bin, binAt, binned, binText, lastUsed } from '../../../kit/charts/histogram.ts';
import type { ChartCursor } from '../../../kit/charts/cursor.ts';

export interface CountHistogramProps {
  /** what is counted: 'rows', 'tile rows' */
  readonly what: string;
  /** index k: how many have k non-zeros */
  readonly counts: Uint32Array;
  /** most non-zeros that fit; counts beyond are highlighted. null: no limit */
  readonly capacity: number | null;
}

const HEIGHT = 152;
/** Bars at most. */
const MAX_BARS = 40;

/** How many rows or tile rows have how many non-zeros, on a logarithmic axis, so that a single one is visible. */
export function CountHistogram({ what, counts, capacity }: CountHistogramProps) {
  const bins = binned(counts, {
    first: 0,
    last: Math.max(0, lastUsed(counts), capacity ?? 0),
    max: MAX_BARS,
    ...(capacity === null ? {} : { edge: capacity + 1 }),
  });
  const [moved, setMoved] = useState<number | null>(null);
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  const usual = bins.reduce((best, bin) => (bin.count > best.count ? bin : best), bins[0]);
  const shown = moved === null ? usual : (binAt(bins, moved) ?? usual);
  const text = binText(shown, countText);
  const cursor: ChartCursor = {
    at: (shown.from + shown.to) / 2,
    label: `non-zeros of ${what}`,
    text: `${text} non-zeros: ${countText(shown.count)} ${what}`,
    step: (_, steps) => (steps < 0 ? shown.from + steps * (shown.to - shown.from + 1) : shown.to + steps),
    onMove: (at) => setMoved(Math.round(at)),
  };
  return (
    <div>
      <p className="chart-reading">
        <strong>{countText(shown.count)}</strong> of {countText(all)} {what} have {text} non-zeros.
      </p>
      <CountChart
        id={`${what.replace(' ', '-')}-by-non-zeros`}
        heading={{ title: `Number of ${what} by their non-zeros`, caption: roomText(what, bins, capacity) }}
        spoken={spokenText(what, bins, usual, capacity)}
        what={what}
        along={`non-zeros of one of the ${what}`}
        bins={bins}
        limit={capacity === null ? null : capacity + 1}
        lines={capacity === null ? [] : [{ id: 'room', at: capacity + 0.5 }]}
        heads={capacity === null ? [] : [{ id: 'room', x: capacity + 0.5, title: 'room for', text: String(capacity) }]}
        scale="log"
        height={HEIGHT + (capacity === null ? 0 : 34)}
        cursor={cursor}
      />
    </div>
  );
}

function overText(what: string, bins: readonly Bin[], capacity: number): string {
  const over = bins.reduce((sum, bin) => sum + (bin.from > capacity ? bin.count : 0), 0);
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  return `${countText(over)} of ${countText(all)} ${what} ${over === 1 ? 'holds' : 'hold'} more than the ${countText(capacity)} that fit.`;
}

function roomText(what: string, bins: readonly Bin[], capacity: number | null): string {
  return capacity === null ? 'logarithmic' : overText(what, bins, capacity);
}

function spokenText(what: string, bins: readonly Bin[], usual: Bin, capacity: number | null): string {
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  const words = `Non-zeros of ${countText(all)} ${what}: most often ${binText(usual, countText)}.`;
  return capacity === null ? words : `${words} ${overText(what, bins, capacity)}`;
}
