/* The marks on the scale of bytes above Compare's table: which have room for a name, and the memory of graphics cards. */

/** Room from the name of one mark on the scale of bytes to the next, as a share of the scale. */
const MIN_ROOM = 0.12;

/** Marks whose names have space: from the right, with at least `MIN_ROOM` between two. */
export function marksWithRoom<M extends { readonly bytes: number }>(marks: readonly M[], max: number): readonly M[] {
  const named: M[] = [];
  for (const mark of marks.toReversed()) {
    const next = named.at(0);
    if (!next || (next.bytes - mark.bytes) / max >= MIN_ROOM) named.unshift(mark);
  }
  return named;
}

/** Memory of graphics cards, in GB. */
const CARD_GIGABYTES = [8, 12, 16, 24, 48, 80];

/** The memory, in GB, of four consecutive cards, the largest of which holds this many bytes if any card does. */
export function cardsFor(bytes: number): readonly number[] {
  const holds = CARD_GIGABYTES.findIndex((gigabytes) => bytes < gigabytes * 1e9);
  const last = Math.max(3, holds < 0 ? CARD_GIGABYTES.length - 1 : holds);
  return CARD_GIGABYTES.slice(last - 3, last + 1);
}
