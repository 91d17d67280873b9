/* The marks above Compare's bars: which of them have space for a name, and the graphics cards' memory that they represent. */

/** Least distance between two named marks, as a share of the scale. */
const MIN_DISTANCE = 0.12;

/** The marks whose names fit, chosen from the right. `max`: the bytes at the end of the scale. */
export function marksWithSpace<M extends { readonly bytes: number }>(marks: readonly M[], max: number): readonly M[] {
  const named: M[] = [];
  for (const mark of marks.toReversed()) {
    const next = named.at(0);
    if (!next || (next.bytes - mark.bytes) / max >= MIN_DISTANCE) named.unshift(mark);
  }
  return named;
}

/** Memory of graphics cards, in GB. */
const CARD_GIGABYTES = [8, 12, 16, 24, 48, 80];

/** The memory, in GB, of four consecutive cards, the largest of which fits this many bytes if any card does. */
export function cardsFor(bytes: number): readonly number[] {
  const firstFitting = CARD_GIGABYTES.findIndex((gigabytes) => bytes < gigabytes * 1e9);
  const last = Math.max(3, firstFitting < 0 ? CARD_GIGABYTES.length - 1 : firstFitting);
  return CARD_GIGABYTES.slice(last - 3, last + 1);
}
