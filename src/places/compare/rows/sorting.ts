import { referenceFormat } from '../../../formats/catalog.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import { bitsOf } from './stored-variants.ts';

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
      return row.sameAsI4 ?? null;
  }
}

/** Whether a row has a bar: its size is known, or being computed. Other rows say why there is none. */
export function hasBar({ state }: Pick<CompareRow, 'state'>): boolean {
  return state === 'known' || state === 'waiting';
}

/**
 * The rows of the table. A format that cannot store the subject has a single row. Rows with fewer than 16 bits are included on
 * request, or for A or B. Dense in 4 bits always is, as the alternative to pruning.
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

/** Marks whose names have space: from the right, with at least this share of the scale between two. */
export function marksWithRoom<M extends { readonly bytes: number }>(marks: readonly M[], max: number): readonly M[] {
  const kept: M[] = [];
  for (const mark of marks.toReversed()) {
    const next = kept.at(0);
    if (!next || (next.bytes - mark.bytes) / max >= MIN_ROOM) kept.unshift(mark);
  }
  return kept;
}

const MIN_ROOM = 0.12;

/** Memory sizes of graphics cards. */
const CARDS = [8, 12, 16, 24, 48, 80];

/** Four consecutive cards, the largest of which holds this many bytes if any card does. */
export function cardsFor(bytes: number): readonly number[] {
  const holds = CARDS.findIndex((gigabytes) => bytes < gigabytes * 1e9);
  const last = Math.max(3, holds < 0 ? CARDS.length - 1 : holds);
  return CARDS.slice(last - 3, last + 1);
}
