import type { Stop } from '../../core/story/timeline.ts';

/** A chapter on the track, in px. */
export interface ChapterBox {
  readonly left: number;
  readonly width: number;
}

/** Between two chapters, px. */
const GAP = 6;
/** A chapter with one stop keeps room for a few letters of its name, px. */
const MIN_WIDTH = 56;

/** Chapters as long as they have stops, and where the stops are, for a track of this width. */
export function placeStops(
  chapters: number,
  stops: readonly Pick<Stop, 'chapter'>[],
  width: number,
): { readonly boxes: readonly ChapterBox[]; readonly xs: readonly number[] } {
  const counts = Array.from({ length: chapters }, (_, i) => stops.filter(({ chapter }) => chapter === i).length);
  const free = Math.max(0, width - GAP * (chapters - 1));
  const min = Math.min(MIN_WIDTH, free / Math.max(1, chapters));
  const rest = free - min * chapters;
  let left = 0;
  const boxes = counts.map((count) => {
    const box = { left, width: min + (rest * count) / Math.max(1, stops.length) };
    left += box.width + GAP;
    return box;
  });
  const passed = counts.map(() => 0);
  const xs = stops.map(({ chapter }) => {
    const nth = passed[chapter]++;
    return boxes[chapter].left + (boxes[chapter].width * (nth + 0.5)) / counts[chapter];
  });
  return { boxes, xs };
}

/** What is written at a stop: where nothing else happens, that the formats differ. */
export function nameOf({ name, kind, difference }: Pick<Stop, 'name' | 'kind' | 'difference'>): string {
  return difference && kind === 'step' ? 'first difference' : name;
}

/** About the width of a name at 12 px, with the room that it keeps to its neighbours. */
export function nameWidth(name: string): number {
  return 6.3 * name.length + 14;
}

/** A name centred at x, moved so that it lies on the track. */
export function nameLeft(x: number, name: string, width: number): number {
  const own = nameWidth(name);
  return Math.max(0, Math.min(x - own / 2, width - own));
}

/**
 * Which of the stops show their name: the current one, then those that say most, as long as none covers another or what is
 * `taken`.
 */
export function shownNames(
  stops: readonly Stop[],
  xs: readonly number[],
  width: number,
  current: number,
  taken: readonly (readonly [left: number, right: number])[] = [],
): ReadonlySet<number> {
  const order = stops.map((_, i) => i).toSorted((i, j) => rank(stops[i], i, current) - rank(stops[j], j, current));
  const boxes = [...taken];
  const shown = new Set<number>();
  for (const i of order) {
    const left = nameLeft(xs[i], nameOf(stops[i]), width);
    const right = left + nameWidth(nameOf(stops[i]));
    if (boxes.some((box) => box[0] < right && left < box[1])) continue;
    boxes.push([left, right]);
    shown.add(i);
  }
  return shown;
}

function rank({ difference, kind, alone }: Stop, i: number, current: number): number {
  if (i === current) return 0;
  if (difference) return 1;
  if (alone !== null) return 2;
  return kind === 'step' || kind === 'fold' ? 4 : 3;
}
