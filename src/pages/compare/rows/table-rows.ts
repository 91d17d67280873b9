/* Which rows Compare's table shows, and in which order. */

import { referenceFormat } from '../../../formats/catalog.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import { bitsOf } from './stored-variants.ts';

/** The value by which each column of Compare's table sorts a row; null where the row has none. */
const SORT_KEYS = {
  bytes: ({ bytes }) => bytes,
  read: ({ readBytes }) => readBytes ?? null,
  format: ({ format, detail }) => `${format.title} ${detail}`.toLowerCase(),
  share: ({ bytes }) => bytes, // of the bytes in dense f16
  atMost: ({ minNs }) => minNs, // tokens per second of a model, by the lower bound of its time
  measured: ({ tokenNs, measuredNs }) => tokenNs ?? measuredNs,
  needs: ({ needs }) => needs, // the pruning that the row of a model assumes
  fits: ({ bytes }) => bytes, // the graphics cards in whose memory a model fits
  // The density at which the row has as many bytes as dense i4.
  same: ({ evenWithI4 }) => evenWithI4 ?? null,
} satisfies Readonly<Record<string, (row: CompareRow) => number | string | null>>;

/** The columns by which Compare's table can be sorted. */
export type SortColumn = keyof typeof SORT_KEYS;
export const SORT_COLUMNS = Object.keys(SORT_KEYS) as readonly SortColumn[];

/** Rows in the requested order, then those without such a value, then those that cannot store the matrix. */
export function sortedRows(rows: readonly CompareRow[], sort: SortColumn, descending: boolean): readonly CompareRow[] {
  const groupOf = (row: CompareRow): number => (hasBar(row) ? 0 : row.state === 'refused' ? 2 : 1);
  return rows.toSorted((one, two) => {
    if (groupOf(one) !== groupOf(two)) return groupOf(one) - groupOf(two);
    const [x, y] = [SORT_KEYS[sort](one), SORT_KEYS[sort](two)];
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0);
    const order = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
    return descending ? -order : order;
  });
}

/** Whether a row has a bar: its size is known, or being computed. Other rows show a reason instead. */
export function hasBar({ state }: Pick<CompareRow, 'state'>): boolean {
  return state === 'known' || state === 'waiting';
}

/**
 * The rows that the table shows. A format that cannot store the matrix has a single row. Rows with values of fewer than
 * 16 bits are shown on request, or if A or B has such values; dense in 4 bits always, as the alternative to pruning.
 */
export function visibleRows(
  { rows, a, b }: Pick<ComparedFormats, 'rows' | 'a' | 'b'>,
  showsFewBits: boolean,
): readonly CompareRow[] {
  const hasFewBits = ({ stored }: CompareRow): boolean => bitsOf(stored.params) < 16;
  const isDenseI4 = ({ format, stored }: CompareRow): boolean =>
    format.id === referenceFormat.id && bitsOf(stored.params) === 4;
  const isSide = (row: CompareRow): boolean => row.key === a?.key || row.key === b?.key;
  const showsAll = showsFewBits || [a, b].some((row) => row && hasFewBits(row));
  const candidates = rows.filter((row) => showsAll || isSide(row) || isDenseI4(row) || !hasFewBits(row));
  return candidates.filter(
    (row) => row.state !== 'refused' || isSide(row) || row === candidates.find(({ format }) => format === row.format),
  );
}
