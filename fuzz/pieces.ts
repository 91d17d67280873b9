// Random choices and text mutations of fuzz targets.

import type { Random } from '../src/core/number/random.ts';

/** A random element of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)];

/** Ranges to remove from `length` items: halves, quarters ... down to single ones. */
export function* rangesToRemove(length: number): Iterable<readonly [from: number, to: number]> {
  let size = length;
  do {
    size = Math.ceil(size / 2);
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
  } while (size > 1);
}

/** A text with a few changes: ranges are deleted, repeated or replaced by `fragments`, or one of these is inserted. */
export function mutatedText(random: Random, text: string, fragments: readonly string[]): string {
  let out = text;
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const start = random.below(out.length + 1);
    const to = Math.min(out.length, start + random.below(8));
    switch (random.below(4)) {
      case 0:
        out = out.slice(0, start) + out.slice(to);
        break;
      case 1:
        out = out.slice(0, start) + pick(random, fragments) + out.slice(start);
        break;
      case 2:
        out = out.slice(0, start) + pick(random, fragments) + out.slice(to);
        break;
      default:
        out = out.slice(0, to) + out.slice(start);
    }
  }
  return out;
}
