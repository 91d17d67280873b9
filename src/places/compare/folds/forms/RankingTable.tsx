import { countText } from '../../../../core/story/words.ts';
import { bytes, density as densityText, percent, ratio } from '../../../../kit/words/quantity.ts';
import type { RankedRow } from '../../curves/ranking.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { oneDecimal } from '../../../../kit/words/rates.ts';

interface RankingTableProps {
  readonly rows: readonly RankedRow[];
  readonly density: number;
  readonly nonZeros: number;
  readonly sort: 'size' | 'speed';
  readonly onSort: (sort: 'size' | 'speed') => void;
  readonly strong: string | null;
  readonly onStrong: (format: string | null) => void;
}

/** All formats at the cursor, each with the reason for its size. */
export function RankingTable({ rows, density, nonZeros, sort, onSort, strong, onStrong }: RankingTableProps) {
  const ranked = rows.filter((row) => !row.beside);
  const sorted = (
    sort === 'size' ? ranked : ranked.toSorted((a, b) => (b.speed?.ratio ?? -1) - (a.speed?.ratio ?? -1))
  ).concat(rows.filter((row) => row.beside));
  const least = ranked[0]?.bytes ?? null;
  const most = ranked.reduce((top, r) => (r.speed?.measured && r.speed.ratio > top ? r.speed.ratio : top), 0);
  const sortedBy = (column: 'size' | 'speed') =>
    sort === column ? (column === 'size' ? 'ascending' : 'descending') : undefined;
  return (
    <section className="ranking" aria-labelledby="ranking-title">
      <SectionHead
        id="ranking-title"
        title={`At density ${densityText(density)}`}
        aside={<span className="number">{countText(nonZeros)} non-zeros</span>}
      />
      <table className="table">
        <caption className="unseen">All formats at density {densityText(density)}</caption>
        <thead>
          <tr>
            <th scope="col">format</th>
            <th scope="col" className="number" aria-sort={sortedBy('size')}>
              <button type="button" className="ranking-sort" onClick={() => onSort('size')}>
                bytes{sort === 'size' ? ' ↑' : ''}
              </button>
            </th>
            <th scope="col" className="number" title="bits per non-zero">
              bit / nz
            </th>
            <th scope="col" className="number" title="of the encoded matrix nearest to the cursor">
              padding
            </th>
            <th scope="col" className="number" aria-sort={sortedBy('speed')}>
              <button type="button" className="ranking-sort" onClick={() => onSort('speed')}>
                speed{sort === 'speed' ? ' ↓' : ''}
              </button>
            </th>
          </tr>
        </thead>
        {sorted.map((row) => (
          <tbody
            key={row.key}
            className="ranking-row"
            data-strong={groupOf(row) === strong ? '' : undefined}
            data-beside={row.beside ? '' : undefined}
            onPointerEnter={() => onStrong(groupOf(row))}
            onPointerLeave={() => onStrong(null)}
          >
            <tr>
              <th scope="row">
                <Swatch format={row.format.id} />
                {row.format.title} <span className="ranking-label">{row.variant.label}</span>
              </th>
              <td
                className="number"
                data-best={!row.beside && row.bytes !== null && row.bytes === least ? '' : undefined}
              >
                {row.bytes === null ? '–' : bytes(row.bytes)}
              </td>
              <td className="number">{row.bitsPerNonZero === null ? '–' : oneDecimal(row.bitsPerNonZero)}</td>
              <td className="number">{row.padding === null ? '–' : percent(row.padding, 1)}</td>
              <td
                className="number"
                data-best={!row.beside && row.speed?.measured && row.speed.ratio === most ? '' : undefined}
              >
                <SpeedText row={row} />
              </td>
            </tr>
            <tr>
              <td className="ranking-why" colSpan={5}>
                {row.why}
              </td>
            </tr>
          </tbody>
        ))}
      </table>
    </section>
  );
}

/** Links the row to its lines in the charts. */
function groupOf({ beside, format, variant }: RankedRow): string {
  return beside ? variant.key : format.id;
}

function SpeedText({ row: { speed } }: { readonly row: RankedRow }) {
  if (speed === null) return <>–</>;
  if (speed.live) {
    return (
      <span className="ranking-live" title="measured live, on a generated matrix">
        {ratio(speed.ratio)}
      </span>
    );
  }
  if (speed.measured) return <>{ratio(speed.ratio)}</>;
  return (
    <span className="faint" title="not measured: the limit by bytes">
      ≤{'\u00a0'}
      {ratio(speed.ratio)}
    </span>
  );
}
