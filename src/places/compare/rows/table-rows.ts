import { referenceFormat } from '../../../formats/catalog.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import { bitsOf } from './stored-variants.ts';

/** The columns by which Compare's table can be sorted. */
export const SORTS = ['bytes', 'read', 'format', 'share', 'atMost', 'measured', 'needs', 'fits', 'same'] as const;
export type Sort = (typeof SORTS)[number];

/** Rows in the requested order, then those without that figure, then those that cannot store the subject. */
export function sortedRows(rows: readonly CompareRow[], sort: Sort, descending: boolean): readonly CompareRow[] {
  const last = (row: CompareRow): number => (hasBar(row) ? 0 : row.state === 'refused' ? 2 : 1);
  return rows.toSorted((one, two) => {
    if (last(one) !== last(two)) return last(one) - last(two);
    const [x, y] = [keyOf(one, sort), keyOf(two, sort)];
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0);
    const order = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
    return descending ? -order : order;
  });
}

function keyOf(row: CompareRow, sort: Sort): number | string | null {
  switch (sort) {
    case 'format':
      return `${row.format.title} ${row.detail}`.toLowerCase();
    case 'bytes':
    case 'share':
    case 'fits':
      return row.bytes;
    case 'read':
      return row.readBytes ?? null;
    case 'atMost':
      return row.minNs;
    case 'measured':
      return row.measuredNs;
    case 'needs':
      return row.needs;
    case 'same':
      return row.evenWithI4 ?? null;
  }
}

/** Whether a row has a bar: its size is known, or being computed. Other rows say why there is none. */
export function hasBar({ state }: Pick<CompareRow, 'state'>): boolean {
  return state === 'known' || state === 'waiting';
}

/**
 * The rows that the table shows. A format that cannot store the matrix has a single row. Rows with fewer than 16 bits are
 * included on request, or if A or B has so few; dense in 4 bits always is, as the alternative to pruning.
 */
export function shownRows(
  { rows, a, b }: Pick<ComparedFormats, 'rows' | 'a' | 'b'>,
  hasFewerBits: boolean,
): readonly CompareRow[] {
  const isFew = ({ stored }: CompareRow): boolean => bitsOf(stored.params) < 16;
  const isRival = ({ format, stored }: CompareRow): boolean =>
    format.id === referenceFormat.id && bitsOf(stored.params) === 4;
  const isSide = (row: CompareRow): boolean => row.key === a?.key || row.key === b?.key;
  const all = hasFewerBits || [a, b].some((row) => row && isFew(row));
  const left = rows.filter((row) => all || isSide(row) || isRival(row) || !isFew(row));
  return left.filter(
    (row) => row.state !== 'refused' || isSide(row) || row === left.find((one) => one.format === row.format),
  );
}
