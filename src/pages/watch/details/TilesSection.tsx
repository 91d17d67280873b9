import { useMemo, useState } from 'react';
import type { Tiling } from '../../../theory/overflow-odds.ts';
import { counted, countText } from '../../../core/text/words.ts';
import type { TileCounts } from '../../../engine/matrix/matrix-types.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { type Job, useMatrixJob } from '../../../kit/use-job.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { OverflowChart } from './OverflowChart.tsx';
import { compareOverflow, type OverflowComparison } from './overflow-shares.ts';
import { type TilingComparison, tilingComparisons, tilingOf } from './tilings.ts';
import type { Side } from '../use-sides.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { probabilityText } from '../../../kit/words/shares.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import { CountChart } from '../../../kit/charts/CountChart.tsx';
import { type Bin, binAt, binned, binText, lastUsed } from '../../../kit/charts/histogram.ts';
import type { ChartCursor } from '../../../kit/charts/cursor.ts';

interface CountHistogramProps {
  /** what is counted: 'rows', or 'tile rows': the parts of rows in one tile */
  readonly what: string;
  /** index k: how many have k non-zeros */
  readonly counts: Uint32Array;
  /** most non-zeros that fit; counts beyond are highlighted. null: no limit */
  readonly capacity: number | null;
}

const HEIGHT = 152;
const MAX_BARS = 40;

/** How many rows or tile rows have how many non-zeros, on a logarithmic axis, so that a single one is visible. */
export function CountHistogram({ what, counts, capacity }: CountHistogramProps) {
  const bins = binned(counts, {
    first: 0,
    last: Math.max(0, lastUsed(counts), capacity ?? 0),
    max: MAX_BARS,
    ...(capacity === null ? {} : { edge: capacity + 1 }),
  });
  const [cursorAt, setCursorAt] = useState<number | null>(null);
  const totalCount = bins.reduce((sum, bin) => sum + bin.count, 0);
  const mode = bins.reduce((best, bin) => (bin.count > best.count ? bin : best), bins[0]);
  const visibleBin = cursorAt === null ? mode : (binAt(bins, cursorAt) ?? mode);
  const text = `${binText(visibleBin, countText)} ${visibleBin.to === 1 && visibleBin.from === 1 ? 'non-zero' : 'non-zeros'}`;
  const overflow = capacity === null ? null : overflowText(what, bins, capacity);
  const along = `non-zeros of ${what}`;
  const cursor: ChartCursor = {
    x: (visibleBin.from + visibleBin.to) / 2,
    label: along,
    text: `${text}: ${countText(visibleBin.count)} ${what}`,
    step: (_, steps) =>
      steps < 0 ? visibleBin.from + steps * (visibleBin.to - visibleBin.from + 1) : visibleBin.to + steps,
    onMove: (at) => setCursorAt(Math.round(at)),
  };
  return (
    <div>
      <p className="text-muted text-12 mb-2 leading-[1.4]">
        <strong className="text-ink">{countText(visibleBin.count)}</strong> of {countText(totalCount)} {what}{' '}
        {visibleBin.count === 1 ? 'has' : 'have'} {text}.
      </p>
      <CountChart
        id={`${what.replace(' ', '-')}-by-non-zeros`}
        heading={{ title: `${what} by non-zeros`, caption: overflow ?? 'logarithmic' }}
        spoken={`Non-zeros of ${countText(totalCount)} ${what}: most often ${binText(mode, countText)}. ${overflow ?? ''}`.trim()}
        what={what}
        along={along}
        bins={bins}
        limit={capacity === null ? null : capacity + 1}
        lines={capacity === null ? [] : [{ id: 'room', at: capacity + 0.5 }]}
        heads={capacity === null ? [] : [{ id: 'room', x: capacity + 0.5, title: 'at most', text: String(capacity) }]}
        scale="log"
        height={HEIGHT + (capacity === null ? 0 : 34)}
        cursor={cursor}
      />
    </div>
  );
}

/** '1 of 220 tile rows has more than the 31 that fit.' */
function overflowText(what: string, bins: readonly Bin[], capacity: number): string {
  const overflowCount = bins.reduce((sum, bin) => sum + (bin.from > capacity ? bin.count : 0), 0);
  const totalCount = bins.reduce((sum, bin) => sum + bin.count, 0);
  return `${countText(overflowCount)} of ${countText(totalCount)} ${what} ${overflowCount === 1 ? 'has' : 'have'} more than the ${countText(capacity)} that fit.`;
}

/** What the section shows of one matrix. */
interface TileStatistics {
  readonly tiling: Tiling;
  readonly comparisons: readonly TilingComparison[];
  readonly counts: TileCounts;
  readonly overflow: OverflowComparison;
}

/** How full this matrix's rows and tile rows are, and how often a tile row overflows compared with chance. */
export function TilesSection({ side: { format, stored } }: { readonly side: Pick<Side, 'format' | 'stored'> }) {
  const { params } = stored;
  const summary = useSession((s) => s.summary);
  const cols = summary?.rows === 0 ? 0 : (summary?.cols ?? 0);
  const tiling = useMemo(() => tilingOf(format, params, cols), [format, params, cols]);
  const { latest: counts, error } = useTileCounts(format.title, tiling?.width ?? null);
  const currentStatistics = useMemo((): TileStatistics | null => {
    if (!tiling || counts?.tileWidth !== tiling.width) return null;
    const overflow = compareOverflow(tiling, counts);
    return overflow && { tiling, comparisons: tilingComparisons(format, params, cols), counts, overflow };
  }, [tiling, counts, format, params, cols]);
  // The old figures stay until new ones arrive, so that nothing jumps, unless they are of another matrix.
  const [lastStatistics, setLastStatistics] = useState<TileStatistics | null>(null);
  if (currentStatistics && currentStatistics !== lastStatistics) setLastStatistics(currentStatistics);
  const visibleStatistics =
    currentStatistics ?? (lastStatistics && lastStatistics.counts === counts ? lastStatistics : null);
  if (!tiling) return null;
  return (
    <Section
      title="How full tiles get"
      label={`${format.title}: how full tiles get`}
      aside={
        <>
          {counted(tiling.width, 'column')}, at most {countText(tiling.capacity)} non-zeros
        </>
      }
    >
      {visibleStatistics ? (
        <TileFigures statistics={visibleStatistics} />
      ) : (
        <p className="text-quiet">{error ?? 'Not counted yet.'}</p>
      )}
    </Section>
  );
}

function TileFigures({ statistics }: { readonly statistics: TileStatistics }) {
  const { tiling, comparisons, counts, overflow } = statistics;
  const [chosenName, setChosenName] = useState<string | null>(null);
  const comparison = comparisons.find(({ name }) => name === chosenName) ?? comparisons[0];
  return (
    <div className="grid gap-3 *:min-w-0">
      <CountHistogram what="tile rows" counts={counts.tileRows} capacity={tiling.capacity} />
      <CountHistogram what="rows" counts={counts.rows} capacity={null} />
      {comparison && (
        <>
          <Segmented
            label="A line for each"
            value={comparison.name}
            options={comparisons.map(({ name, label }) => ({ value: name, label }))}
            onChange={setChosenName}
          />
          <OverflowChart comparison={comparison} overflow={overflow} />
          <p className="text-quiet">
            Lines: non-zeros at random. Ring: this matrix, {countOfTotal(overflow.tileRows)} tile rows and{' '}
            {countOfTotal(overflow.rows)} rows. Small ring: its rows, spread at random,{' '}
            {probabilityText(overflow.ownCounts.tileRows)} and {probabilityText(overflow.ownCounts.rows)}.
          </p>
        </>
      )}
    </div>
  );
}

/** '219 of 220' */
function countOfTotal({ count, total }: OverflowComparison['rows']): string {
  return `${countText(count)} of ${countText(total)}`;
}

/** Histograms of non-zeros per row and tile row of the open matrix; during a recount, those of the last tile width. */
function useTileCounts(format: string, tileWidth: number | null): Pick<Job<TileCounts>, 'latest' | 'error'> {
  const { engine } = useApp();
  return useMatrixJob(tileWidth === null ? null : [`Counting rows and tiles for ${format}`, tileWidth], (watch) =>
    engine.service<typeof matrix>('matrix').tileCounts(watch, tileWidth ?? 0),
  );
}
