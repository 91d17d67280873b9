import type { Compared, CompareRow } from './compare-row.ts';

export const SORTS = ['bytes', 'format', 'share', 'atMost', 'measured', 'why', 'needs', 'fits', 'same'] as const;
export type Sort = (typeof SORTS)[number];

/** Rows in the order that was asked for, then those of which it is not known, then what cannot be stored. */
export function sortedRows(rows: readonly CompareRow[], sort: Sort, descending: boolean): readonly CompareRow[] {
  const last = ({ state }: CompareRow): number => (state === 'refused' || state === 'failed' ? 1 : 0);
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
    case 'atMost':
      return row.atMostNs;
    case 'measured':
      return row.measuredNs;
    case 'why':
      return row.why?.toLowerCase() ?? null;
    case 'needs':
      return row.needs;
    case 'same':
      return row.sameAsI4 ?? null;
  }
}

/**
 * Rows that one line below the table says together: formats whose size nobody knows before encoding, those that cannot store
 * the matrix, and those that need another subject. A and B stay rows.
 */
export function isInFoot(row: CompareRow, { a, b, level }: Pick<Compared, 'a' | 'b' | 'level'>): boolean {
  if (row.key === a?.key || row.key === b?.key) return false;
  return row.state === 'open' || (row.state === 'refused' && (level === 'matrix' || row.remedy?.kind === 'open'));
}

/** Marks whose names have room: from the right, none nearer to the one before than this share of the scale. */
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

/** Four neighbouring cards, of which the largest holds this many bytes if one does. */
export function cardsFor(bytes: number): readonly number[] {
  const holds = CARDS.findIndex((gigabytes) => bytes < gigabytes * 1e9);
  const last = Math.max(3, holds < 0 ? CARDS.length - 1 : holds);
  return CARDS.slice(last - 3, last + 1);
}
