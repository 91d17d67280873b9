import type { Drawing, DrawnLink, DrawnMark, Tone, LinkPath } from '../scene.ts';
import type { DrawingSpace } from '../drawing-space.ts';
import { isNarrow, type LaidOut, moved, EMPTY, type Part, type LayoutSpace } from './layout-space.ts';
import { textPx, widthOf, LINE, linesIn, runsOf } from './text-layout.ts';

/** A picture of a story: fixed parts above and below, and its own body between them. */
export interface Picture {
  readonly above?: Part;
  readonly body: Part;
  readonly below?: Part;
  /** the body follows the part above without a gap; 'rows': its rows are as high as those above */
  readonly isJoined?: boolean | 'rows';
  readonly arrows?: readonly Arrow[];
  /** controls that a page shows between the text and the picture */
  readonly under?: 'answers' | 'slider';
}

/** An arrow between two marks, by their ids; left out where it would cross text. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly tone?: Tone;
}

/** Sizes and positions, in px, that all pictures of a story share in the space for a picture. */
export interface Fit {
  /** font size of running text */
  readonly em: number;
  readonly gutter: number;
  /** factors of the usual size of cells and of the usual height of gaps */
  readonly grow: number;
  readonly gapFactor: number;
  /** least height of cells, in em; 0: none */
  readonly side: number;
  /** top of the body, and height of the fixed part below it */
  readonly bodyY: number;
  readonly foot: number;
  /** factor of the usual size of cells in bodies between fixed parts, which all such pictures share */
  readonly countedGrow: number;
  /** of every picture that fits the space, others are higher; 0 on paper, where each has its own height */
  readonly height: number;
}

/** px between text and picture: for answers and their explanation, and for a slider. */
const UNDER = { narrow: { answers: 140, slider: 92 }, wide: { answers: 160, slider: 72 } } as const;
const underOf = ({ under }: Picture, room: DrawingSpace): number =>
  under === undefined ? 0 : UNDER[isNarrow(room) ? 'narrow' : 'wide'][under];

/** Gaps in em: between the fixed parts and the body, and between a body that is joined and the part above. */
const GAP = 1.1;
const JOINT = 0.2;
/** px of running text at least and at most; in wide spaces at most this share of the width, but not below `WIDE_EM`. */
const EM = { narrow: [12, 14], wide: [13, 34] } as const;
const EM_SHARE = 1 / 66;
const WIDE_EM = 18;
/** Text that is too high shrinks by (height of the space / height)^SHRINK at a time. */
const SHRINK = 0.6;
/** Factors by which cells may grow if there is space, the largest first. */
const GROW = [1.6, 1.4, 1.2];
/** Factors by which gaps may grow. */
const GAP_FACTORS = [2.4, 2, 1.6, 1.3, 1];
/** How far gaps and cells shrink where pictures with the smallest text are still too high. */
const TIGHT = [
  { gapFactor: 0.75, grow: 0.9 },
  { gapFactor: 0.5, grow: 0.8 },
  { gapFactor: 0.25, grow: 0.7 },
] as const;

/** Heights of the cells of a small matrix to choose from, in em, the largest first. */
const SIDES_OF_CELLS = [7, 6, 5, 4.5, 4, 3.5, 3, 2.75, 2.5, 2.25, 2, 1.8];

/** Height of a picture relative to its width where the space has no limit, as on paper. */
const HEIGHT = { narrow: 1.6, wide: 0.62 } as const;

/**
 * The largest sizes at which every picture fits the space, or else the smallest: the same for all, so that nothing
 * jumps between pictures. `isSmall`: of a matrix with few cells, which grow to fill the space. Yields after each picture
 * at each size. O(pictures × their marks).
 */
export function* fitSteps(
  given: DrawingSpace,
  pictures: readonly Picture[],
  isSmall = false,
): Generator<void, Fit, void> {
  const [min, max] = EM[isNarrow(given) ? 'narrow' : 'wide'];
  const room = { ...given, height: heightOf(given) };
  const top = isNarrow(room) ? max : Math.min(max, Math.max(WIDE_EM, Math.round(room.width * EM_SHARE)));
  let best = yield* fitAt(room, top, pictures);
  while (best.height > room.height && best.em > min) {
    // Reduced by less than the excess: smaller text also needs fewer lines.
    const em = Math.floor(2 * best.em * (room.height / best.height) ** SHRINK) / 2;
    best = yield* fitAt(room, Math.max(min, Math.min(em, best.em - 0.5)), pictures);
  }
  for (const tight of TIGHT) if (best.height > room.height) best = yield* fitAt(room, best.em, pictures, tight);
  if (isNarrow(room))
    for (const grow of GROW)
      if (best.grow === 1) {
        const larger = yield* fitAt(room, best.em, pictures, { gapFactor: 1, grow });
        if (larger.height <= Math.max(room.height, best.height)) best = larger;
      }
  for (const side of isSmall && best.height <= room.height ? SIDES_OF_CELLS : [])
    if (best.side === 0) {
      const filled = yield* fitAt(room, best.em, pictures, { ...best, side });
      if (filled.height <= room.height) best = filled;
    }
  // On paper a picture ends where it ends.
  const height = room.height < given.height ? 0 : Math.min(best.height, Math.floor(room.height));
  const fit = { ...best, height };
  return { ...fit, countedGrow: isNarrow(room) ? fit.grow : yield* countedGrowSteps(given, pictures, fit) };
}

/** Whether the body of a picture is between fixed parts, and continues no rows of the part above. */
const isCounted = ({ below, isJoined, under }: Picture): boolean => below !== undefined && !isJoined && !under;

/** The largest factor for cells with which the bodies of all pictures with a fixed part below still fit. */
function* countedGrowSteps(given: DrawingSpace, pictures: readonly Picture[], fit: Fit): Generator<void, number, void> {
  const rest = GAP * fit.em * fit.gapFactor + fit.foot;
  for (const grow of GROW) {
    if (grow <= fit.grow) break;
    const space = { ...given, ...fit, height: given.height, grow, state: Number.POSITIVE_INFINITY, heightOnly: true };
    let doFit = fit.height > 0;
    for (const { body } of doFit ? pictures.filter(isCounted) : []) {
      doFit &&= fit.bodyY + body.lay(space, given.width).h + rest <= fit.height;
      yield;
    }
    if (doFit) return grow;
  }
  return fit.grow;
}

/** The height for pictures in a space; in one so high that it has no limit, as on paper, it follows from the width. */
function heightOf(room: DrawingSpace): number {
  const natural = room.width * HEIGHT[isNarrow(room) ? 'narrow' : 'wide'];
  return room.height > 2 * room.width + natural ? natural : room.height;
}

/** The positions and the height of all pictures with this size of text. */
function* fitAt(
  given: DrawingSpace,
  em: number,
  pictures: readonly Picture[],
  { gapFactor, grow, side = 0 }: Pick<Fit, 'gapFactor' | 'grow'> & Partial<Pick<Fit, 'side'>> = {
    gapFactor: 1,
    grow: 1,
  },
): Generator<void, Fit, void> {
  const bare: LayoutSpace = {
    ...given,
    em,
    grow,
    gapFactor,
    side,
    state: Number.POSITIVE_INFINITY,
    gutter: 0,
    heightOnly: true,
  };
  const titles = pictures.flatMap(({ above, body, below }) =>
    [above, body, below].flatMap((part) => part?.titles ?? []),
  );
  const widest = [...new Set(titles)].reduce(
    (max, title) => Math.max(max, widthOf(bare, title, textPx(bare, 'text'), true)),
    0,
  );
  const gutter = isNarrow(bare) || widest === 0 ? 0 : Math.ceil(widest + 0.8 * em);
  const room = { ...bare, gutter };
  const laidOut: ({ readonly picture: Picture } & ReturnType<typeof partsOf>)[] = [];
  for (const picture of pictures) {
    laidOut.push({ picture, ...partsOf(picture, room) });
    yield;
  }
  const aboveHeight = laidOut.reduce((max, { above }) => Math.max(max, above.h), 0);
  const bodyY = aboveHeight > 0 ? aboveHeight + GAP * em * gapFactor : 0;
  const foot = laidOut.reduce((max, { below }) => Math.max(max, below.h), 0);
  const fit = { em, gutter, grow, gapFactor, side, bodyY, foot, countedGrow: grow };
  const height = laidOut.reduce((max, { picture, above, body }) => {
    const bodyEnd = bodyTop(picture, above, fit) + body.h;
    return Math.max(max, underOf(picture, room) + bodyEnd + (picture.below ? GAP * em * gapFactor + foot : 0));
  }, 0);
  return { ...fit, height: Math.ceil(height) };
}

/** Lays out the three parts of a picture, each on its own. */
function partsOf(
  { above, body, below }: Picture,
  available: LayoutSpace,
): Readonly<Record<'above' | 'body' | 'below', LaidOut>> {
  const lay = (part: Part | undefined): LaidOut => part?.lay(available, available.width) ?? EMPTY;
  return { above: lay(above), body: lay(body), below: lay(below) };
}

/** Where the body of a picture begins; `laid`: the part above it. */
function bodyTop({ isJoined }: Picture, laid: LaidOut, { em, bodyY }: Omit<Fit, 'height'>): number {
  return laid.h === 0 ? 0 : isJoined ? laid.h + JOINT * em : bodyY;
}

/** Draws a picture in its space in one of its states, without parts that appear in a later one. O(marks × arrows). */
export function drawPicture(picture: Picture, given: DrawingSpace, fit: Fit, state: number): Drawing {
  const { em, gutter, grow, gapFactor: usualGap, side, foot } = fit;
  const available: LayoutSpace = { ...given, em, gutter, grow, gapFactor: usualGap, side, state, heightOnly: false };
  const rest = picture.below ? GAP * em * fit.gapFactor + foot : 0;
  const usual = partsOf(picture, available);
  // Without a part below, whose position is fixed, a picture may use the full height of the space.
  const isFree = !picture.below && !isNarrow(available) && fit.height > 0;
  const end = isFree ? Math.floor(given.height) : fit.height;
  const usualEnd = Math.ceil(bodyTop(picture, usual.above, fit) + usual.body.h + rest);
  const full = Math.max(end - underOf(picture, available), usualEnd);
  // On a phone, rows of one matrix above and in the body grow together.
  const areRows = picture.isJoined === 'rows';
  const heightWith = (more: Partial<LayoutSpace>): number => {
    const space = { ...available, ...more, heightOnly: true };
    const above = areRows ? (picture.above?.lay(space, space.width) ?? EMPTY) : usual.above;
    return bodyTop(picture, above, fit) + picture.body.lay(space, space.width).h + rest;
  };
  const fits = (more: Partial<LayoutSpace>): boolean => heightWith(more) <= full;
  // A body without a part below may grow by itself; on a phone only if it follows the part above.
  const isAlone = isNarrow(available)
    ? picture.isJoined && !picture.below
    : isFree && picture.under !== 'slider' && !areRows;
  const shared = isCounted(picture) && !isNarrow(available) ? fit.countedGrow : grow;
  const grown = {
    ...available,
    grow: (isAlone ? [...GROW, 1].find((factor) => factor > grow && fits({ grow: factor })) : undefined) ?? shared,
  };
  const laid = areRows ? partsOf(picture, grown) : usual;
  const top = bodyTop(picture, laid.above, fit);
  const gapFactor = GAP_FACTORS.find((more) => fits({ ...grown, gapFactor: more }));
  const body = picture.body.lay({ ...grown, gapFactor: gapFactor ?? fit.gapFactor }, available.width);
  // A part below has a fixed position; without it nothing is reserved, except on a phone.
  const height = picture.below || isNarrow(available) ? full : Math.ceil(top + body.h);
  const marks = [...laid.above.marks, ...moved(body.marks, 0, top), ...moved(laid.below.marks, 0, height - foot)];
  return { width: given.width, height, marks, links: arrowsOf(picture, marks, available) };
}

/** The arrows of a picture that can be drawn without crossing a mark. */
function arrowsOf({ arrows = [] }: Picture, marks: readonly DrawnMark[], available: LayoutSpace): readonly DrawnLink[] {
  return arrows.flatMap(({ from, to, tone = 'neutral' }) => {
    const path = arrowTo(from, to, marks, available);
    return path ? [{ id: `${from} to ${to}`, from, to, kind: 'curve' as const, tone, arrow: true, path }] : [];
  });
}

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The area that a mark covers, in px; of a text, the area of its letters only. */
function coveredBy(mark: DrawnMark, available: LayoutSpace): Rect {
  if (mark.shape !== 'text') return mark;
  const words = mark.runs ?? mark.text ?? '';
  const px = mark.size ?? 13;
  const wholeWidth =
    mark.face === 'mono'
      ? available.measure(runsOf(words)[0]?.text ?? '', { face: 'mono', px })
      : widthOf(available, words, px, mark.strong);
  const w = mark.w > 0 ? Math.min(mark.w, wholeWidth) : wholeWidth;
  const h = (mark.w > 0 ? linesIn(available, words, px, mark.w, mark.strong ?? false) : 1) * px * LINE;
  const free = mark.w - w;
  const dx = mark.align === 'middle' ? free / 2 : mark.align === 'end' ? free : 0;
  return { x: mark.x + dx, y: mark.h > 0 ? mark.y + (mark.h - h) / 2 : mark.y, w, h };
}

/** Shares of a mark's width at which an arrow may leave or reach it, and of the height between at which it may turn. */
const SIDES = [0.5, 0.25, 0.75];
const TURNS = [0.5, 0.35, 0.65, 0.2, 0.8];
/* Of an arrow, in px. */
const CLEARANCE = 2; // distance from the marks at its ends
const HEAD = 3; // length
const PASSING_DISTANCE = 3; // from other marks
const CORNER = 8; // radius
const SHORTEST = 6; // minimum height

/**
 * The path of an arrow from the lower edge of the mark `from` to the upper edge of the mark `to` below it, with at most
 * two corners, that crosses no other mark; null if there is none. `available` measures texts.
 */
function arrowTo(from: string, to: string, marks: readonly DrawnMark[], available: LayoutSpace): LinkPath | null {
  const [start, end] = [marks.find(({ id }) => id === from), marks.find(({ id }) => id === to)];
  if (!start || !end) return null;
  const [a, b] = [coveredBy(start, available), coveredBy(end, available)];
  const [top, bottom] = [a.y + a.h + CLEARANCE, b.y - CLEARANCE - HEAD];
  if (bottom - top < SHORTEST) return null;
  const others = marks.filter((mark) => mark !== start && mark !== end).map((mark) => coveredBy(mark, available));
  const isFree = (x1: number, y1: number, x2: number, y2: number): boolean =>
    others.every(
      ({ x, y, w, h }) =>
        Math.max(x1, x2) + PASSING_DISTANCE <= x ||
        Math.min(x1, x2) - PASSING_DISTANCE >= x + w ||
        Math.max(y1, y2) + PASSING_DISTANCE <= y ||
        Math.min(y1, y2) - PASSING_DISTANCE >= y + h,
    );
  for (const turn of TURNS)
    for (const first of SIDES)
      for (const last of SIDES) {
        const [x1, middle, y] = [a.x + a.w * first, b.x + b.w * last, top + (bottom - top) * turn];
        const x2 = Math.abs(middle - x1) < CLEARANCE ? x1 : middle;
        if (isFree(x1, top, x1, y) && isFree(x1, y, x2, y) && isFree(x2, y, x2, bottom))
          return path(x1, top, y, x2, bottom);
      }
  return null;
}

type Curve = LinkPath['curves'][number];

/** From (x1, top) down, across at `y`, and down to (x2, bottom), with round corners. */
function path(x1: number, top: number, y: number, x2: number, bottom: number): LinkPath {
  const straight = (fromX: number, fromY: number, x: number, toY: number): Curve => [fromX, fromY, x, toY, x, toY];
  if (x1 === x2) return { start: [x1, top], curves: [straight(x1, top, x1, bottom)] };
  const r = Math.min(CORNER, Math.abs(x2 - x1) / 2, y - top, bottom - y);
  const side = Math.sign(x2 - x1);
  return {
    start: [x1, top],
    curves: [
      straight(x1, top, x1, y - r),
      [x1, y, x1, y, x1 + side * r, y],
      straight(x1 + side * r, y, x2 - side * r, y),
      [x2, y, x2, y, x2, y + r],
      straight(x2, y + r, x2, bottom),
    ],
  };
}
