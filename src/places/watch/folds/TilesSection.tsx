import { useMemo, useState } from 'react';
import type { Tiling } from '../../../theory/overflow-odds.ts';
import { counted, countText } from '../../../core/story/words.ts';
import type { TileCounts } from '../../../engine/matrix/types.ts';
import { useSession } from '../../../kit/app-context.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { CountHistogram } from './CountHistogram.tsx';
import { OverflowChart } from './OverflowChart.tsx';
import { compareOverflow, type OverflowComparison } from './overflow-shares.ts';
import { type TilingComparison, tilingComparisons, tilingOf } from './tilings.ts';
import type { Side } from '../sides.ts';
import { useTileCounts } from './use-tile-counts.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { odds } from '../../../kit/words/shares.ts';

/** Figures of one matrix, cut in one way. */
interface Picture {
  readonly tiling: Tiling;
  readonly comparisons: readonly TilingComparison[];
  readonly counts: TileCounts;
  readonly here: OverflowComparison;
}

/** How full this matrix's rows and tile rows are, and how often a tile row overflows compared with chance. */
export function TilesSection({ of: { format, stored } }: { readonly of: Pick<Side, 'format' | 'stored'> }) {
  const { params } = stored;
  const summary = useSession((s) => s.summary);
  const cols = summary?.rows === 0 ? 0 : (summary?.cols ?? 0);
  const tiling = useMemo(() => tilingOf(format, params, cols), [format, params, cols]);
  const counts = useTileCounts(tiling?.width ?? null);
  const fresh = useMemo((): Picture | null => {
    if (!tiling || counts?.tileWidth !== tiling.width) return null;
    const here = compareOverflow(tiling, counts);
    return here && { tiling, comparisons: tilingComparisons(format, params, cols), counts, here };
  }, [tiling, counts, format, params, cols]);
  // The old picture stays until the new one is there, so that nothing jumps, unless it is of another matrix.
  const [last, setLast] = useState<Picture | null>(null);
  if (fresh && fresh !== last) setLast(fresh);
  const picture = fresh ?? (last && last.counts === counts ? last : null);
  if (!tiling) return null;
  return (
    <Section
      title="How full tiles get"
      label={`${format.title}: how full tiles get`}
      aside={
        <>
          {counted(tiling.width, 'column')}, room for {countText(tiling.capacity)}
        </>
      }
    >
      {picture ? (
        <TileFigures picture={picture} />
      ) : (
        <p className="faint">Non-zeros of rows and tiles are counted once no run is in progress.</p>
      )}
    </Section>
  );
}

function TileFigures({ picture }: { readonly picture: Picture }) {
  const { tiling, comparisons, counts, here } = picture;
  const [chosen, setChosen] = useState<string | null>(null);
  const comparison = comparisons.find(({ name }) => name === chosen) ?? comparisons[0];
  return (
    <div className="tile-statistics">
      <CountHistogram what="tile rows" counts={counts.tileRows} capacity={tiling.capacity} />
      <CountHistogram what="rows" counts={counts.rows} capacity={null} />
      <SharesTable here={here} />
      {comparison && (
        <>
          <Segmented
            label="A line for each"
            value={comparison.name}
            options={comparisons.map(({ name, label }) => ({ value: name, label }))}
            onChange={setChosen}
          />
          <OverflowChart comparison={comparison} here={here} />
          <p className="faint">
            Lines: every column of every row is non-zero with the same probability. Ring: this matrix; small ring: rows
            with the same counts, spread at random. Odds below 1e−12 are in the table.
          </p>
        </>
      )}
    </div>
  );
}

/** Overflow here, and by chance. */
function SharesTable({ here }: { readonly here: OverflowComparison }) {
  const { perRow, independent, ownCounts, actual, tileRows, rows } = here;
  const lines = [
    { title: 'this matrix', shares: actual, note: ` ${countText(tileRows.count)} of ${countText(tileRows.of)}` },
    { title: 'its rows, spread at random', shares: ownCounts, note: '' },
    { title: `all rows with ${Number(perRow.toPrecision(3))}`, shares: independent, note: '' },
  ];
  return (
    <table className="table">
      <caption className="unseen">
        Share of tile rows and of rows that overflow; of rows, {countText(rows.count)} of {countText(rows.of)}
      </caption>
      <thead>
        <tr>
          <th scope="col">overflow of</th>
          <th scope="col" className="number">
            tile rows
          </th>
          <th scope="col" className="number">
            rows
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ title, shares, note }) => (
          <tr key={title} aria-current={note === '' ? undefined : 'true'}>
            <th scope="row">
              {title}
              {note && <span className="faint">{note}</span>}
            </th>
            <td className="number">{odds(shares.tileRows)}</td>
            <td className="number">{odds(shares.rows)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
