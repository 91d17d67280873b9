import type { Drawing, DrawnLink, DrawnMark, Tone, LinkPath } from '../scene.ts';
import type { DrawingSpace } from '../drawing-space.ts';
import { isNarrow, type LaidOut, moved, EMPTY, type Part, type LayoutSpace } from './layout-space.ts';
import { textPx, widthOf, LINE, linesIn, runsOf } from './text-layout.ts';

/** A picture of a story: fixed parts above and below, and its own body between them. */
export interface Picture {
  readonly above?: Part;
  readonly body: Part;
  readonly below?: Part;
  /** the body follows the part above without a gap */
  readonly isJoined?: boolean;
  readonly arrows?: readonly Arrow[];
  /** controls that a page shows between the text and the picture */
  readonly control?: 'answers' | 'slider';
}

/** An arrow between two marks, by their ids; left out where it would cross text. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly tone?: Tone;
}

/** Sizes and positions, in px, that all pictures of a story have in common. */
interface SharedSizes {
  /** font size of running text */
  readonly em: number;
  readonly gutter: number;
  /** least factors of the usual size of cells and of the usual height of gaps: 1 where all pictures fit */
  readonly leastScale: Scale;
  /** height of the fixed part below the body, which ends where the space ends */
  readonly foot: number;
  /** height of every picture that fits the space; higher pictures have their own height, and so has each on paper: 0 */
  readonly height: number;
  /** cells of a small matrix become wider as they become higher */
  readonly isSmall: boolean;
}

/** Factors of the usual size of cells and of the usual height of gaps, and whether texts are right of cells. */
type Scale = Pick<LayoutSpace, 'grow' | 'gapFactor' | 'isBeside'>;

/** The sizes and the position that a picture does not share with all others. */
interface OwnSizes {
  /** scale of the part above the body */
  readonly above: Scale;
  /** scale of the body */
  readonly body: Scale;
  /** top of the body; 0: no part is above it */
  readonly bodyY: number;
}

/** Sizes and positions of all pictures of a story in a space. */
export interface Fit extends SharedSizes {
  readonly ownSizes: ReadonlyMap<Picture, OwnSizes>;
}

/** px between text and picture: for answers and their explanation, and for a slider. */
const CONTROLS_HEIGHT = { narrow: { answers: 140, slider: 92 }, wide: { answers: 160, slider: 92 } } as const;
const controlsHeight = ({ control }: Picture, space: DrawingSpace): number =>
  control === undefined ? 0 : CONTROLS_HEIGHT[isNarrow(space) ? 'narrow' : 'wide'][control];

/** Gaps in em: between the fixed parts and the body, and between a body that is joined and the part above. */
const GAP = 1.1;
const JOINT = 0.2;
/** px of running text at least and at most; in wide spaces at most this share of the width, but not below `WIDE_EM`. */
const EM = { narrow: [12, 14], wide: [13, 34] } as const;
const EM_SHARE = 1 / 66;
const WIDE_EM = 18;
/** If pictures are too high, their text shrinks by (height of the space / height of pictures)^SHRINK at a time. */
const SHRINK = 0.6;
/**
 * Factors by which the cells of a picture grow if there is space, the largest first. There are few of them, so that
 * successive pictures usually have the same one.
 */
const GROW = [4.4, 3.6, 3, 2.5, 2.1, 1.75, 1.45, 1.2, 1];
/** How much gaps grow with cells, as a share of what these grow. */
const GAP_GROWTH = 0.5;
/** Factors by which gaps grow at most. */
const GAP_FACTORS = [2.4, 2, 1.6, 1.3, 1];
/** Scales for pictures that are too high even with the smallest text, tried in this order; texts are right of cells. */
const TIGHT = [
  { gapFactor: 1, grow: 1, isBeside: true },
  { gapFactor: 0.75, grow: 0.9, isBeside: true },
  { gapFactor: 0.5, grow: 0.8, isBeside: true },
  { gapFactor: 0.25, grow: 0.7, isBeside: true },
] as const;

/** Height of a picture relative to its width where the space has no limit, as on paper. */
const HEIGHT = { narrow: 1.6, wide: 0.62 } as const;

/**
 * The largest size of text at which every picture fits the space, or else the smallest: the same for all, so that no text
 * changes its size between pictures. Then cells and gaps of each picture grow into the space that is left. Yields after
 * each picture at each size. O(pictures × their marks).
 *
 * @param frames the picture of each frame, or the two of a question, whose cells have one size
 * @param isSmall whether the matrix has few cells: their width is not limited
 */
export function* fitSteps(
  drawingSpace: DrawingSpace,
  frames: readonly FramePictures[],
  isSmall = false,
): Generator<void, Fit, void> {
  const groups = groupsOf(frames, isSmall);
  const [min, max] = EM[isNarrow(drawingSpace) ? 'narrow' : 'wide'];
  const space = { ...drawingSpace, height: heightOf(drawingSpace) };
  const firstEm = isNarrow(space) ? max : Math.min(max, Math.max(WIDE_EM, Math.round(space.width * EM_SHARE)));
  let best = yield* fitAt(space, firstEm, groups);
  while (best.height > space.height && best.em > min) {
    // Reduced by less than the excess: smaller text also needs fewer lines.
    const em = Math.floor(2 * best.em * (space.height / best.height) ** SHRINK) / 2;
    best = yield* fitAt(space, Math.max(min, Math.min(em, best.em - 0.5)), groups);
  }
  for (const tight of TIGHT) if (best.height > space.height) best = yield* fitAt(space, best.em, groups, tight);
  // On paper a picture ends where it ends.
  const shared = { ...best, height: space.height < drawingSpace.height ? 0 : Math.floor(space.height), isSmall };
  return { ...shared, ownSizes: yield* ownSizes(drawingSpace, groups, shared) };
}

/** The pictures of a frame: one, or two of a question. */
type FramePictures = readonly Picture[];

/**
 * Frames with the same rows above, by the titles of these: the rows keep their size and their position. Rows that are
 * continued below have the size of those, and the few cells of a small matrix are as large as fit in each frame.
 */
function groupsOf(frames: readonly FramePictures[], isSmall: boolean): readonly (readonly FramePictures[])[] {
  const groups = new Map<unknown, FramePictures[]>();
  for (const frame of frames) {
    const [{ above, body, isJoined }] = frame;
    const hasRows = !isSmall && above !== undefined && above.titles.length > 0;
    const key = hasRows ? [...above.titles, ...(isJoined ? ['', ...body.titles] : [])].join('\n') : frame;
    groups.set(key, [...(groups.get(key) ?? []), frame]);
  }
  return [...groups.values()];
}

/** The sizes of cells and gaps of each picture, as large as fit. */
function* ownSizes(
  drawingSpace: DrawingSpace,
  groups: readonly (readonly FramePictures[])[],
  shared: SharedSizes,
): Generator<void, Map<Picture, OwnSizes>, void> {
  const { leastScale, height, em, isSmall } = shared;
  const sizesByPicture = new Map<Picture, OwnSizes>();
  const topOf = (pictures: readonly Picture[], scale: Scale): number => {
    const space = layoutSpace(drawingSpace, shared, scale);
    return pictures.reduce(
      (max, picture) => Math.max(max, bodyTop(picture, picture.above?.lay(space, space.width) ?? EMPTY, space)),
      0,
    );
  };
  const fit = (pictures: readonly Picture[], bodyY: number, scale: Scale): boolean => {
    const space = layoutSpace(drawingSpace, shared, scale);
    return pictures.every((picture) => {
      const footHeight = picture.below ? GAP * em * leastScale.gapFactor + shared.foot : 0;
      return controlsHeight(picture, space) + bodyY + picture.body.lay(space, space.width).h + footHeight <= height;
    });
  };
  // The cells of a small matrix leave space for texts right of them.
  const besideOptions = isSmall || leastScale.isBeside ? [false, true] : [false];
  const scales = GROW.filter((grow) => height > 0 && grow >= leastScale.grow).flatMap((grow) =>
    besideOptions.map((isBeside) => ({
      grow,
      gapFactor: Math.min(GAP_FACTORS[0], 1 + GAP_GROWTH * (grow - 1)),
      isBeside,
    })),
  );
  /** The largest scale at which these pictures fit with their rows above. */
  function* largest(pictures: readonly Picture[]): Generator<void, Scale, void> {
    for (const scale of scales) {
      yield;
      if (fit(pictures, topOf(pictures, scale), scale)) return scale;
    }
    return leastScale;
  }
  for (const group of groups) {
    const all = group.flat();
    // Controls above a picture, such as a question's answers, leave it less space and move it, so it may differ.
    const withoutControls = all.filter(({ control }) => control === undefined);
    const groupScale = yield* largest(withoutControls.length > 0 ? withoutControls : all);
    for (const frame of group) {
      const fitsGroup = frame[0].control === undefined || fit(frame, topOf(all, groupScale), groupScale);
      const above = fitsGroup ? groupScale : yield* largest(frame);
      const bodyY = topOf(fitsGroup ? all : frame, above);
      // The body then has the scale of the part above it.
      const isFixed = isSmall || frame.some(({ isJoined }) => isJoined);
      const scale = (isFixed ? undefined : scales.find((candidate) => fit(frame, bodyY, candidate))) ?? above;
      const gapFactor = GAP_FACTORS.find(
        (gap) => height > 0 && gap > scale.gapFactor && fit(frame, bodyY, { ...scale, gapFactor: gap }),
      );
      const body = gapFactor === undefined ? scale : { ...scale, gapFactor };
      for (const picture of frame) sizesByPicture.set(picture, { above, body, bodyY });
      yield;
    }
  }
  return sizesByPicture;
}

/** The height for pictures in a space; in one so high that it has no limit, as on paper, it follows from the width. */
function heightOf(space: DrawingSpace): number {
  const natural = space.width * HEIGHT[isNarrow(space) ? 'narrow' : 'wide'];
  return space.height > 2 * space.width + natural ? natural : space.height;
}

/** The sizes and the height of all pictures with this size of text. */
function* fitAt(
  drawingSpace: DrawingSpace,
  em: number,
  groups: readonly (readonly FramePictures[])[],
  scale: Scale = USUAL,
): Generator<void, Omit<SharedSizes, 'isSmall'>, void> {
  const withoutGutter = layoutSpace(drawingSpace, { em, gutter: 0, isSmall: false }, scale);
  const titles = groups
    .flat(2)
    .flatMap(({ above, body, below }) => [above, body, below].flatMap((part) => part?.titles ?? []));
  const widest = [...new Set(titles)].reduce(
    (max, title) => Math.max(max, widthOf(withoutGutter, title, textPx(withoutGutter, 'text'), true)),
    0,
  );
  const gutter = isNarrow(withoutGutter) || widest === 0 ? 0 : Math.ceil(widest + 0.8 * em);
  const space = { ...withoutGutter, gutter };
  /** the lowest end of any body, and of the bodies with a fixed part below them */
  let [end, endAboveFoot] = [0, 0];
  let foot = 0;
  for (const group of groups) {
    const laidOut: ReturnType<typeof partsOf>[] = [];
    const pictures = group.flat();
    for (const picture of pictures) {
      laidOut.push(partsOf(picture, space));
      yield;
    }
    const bodyY = laidOut.reduce((max, { above }, i) => Math.max(max, bodyTop(pictures[i], above, space)), 0);
    for (const [i, { body, below }] of laidOut.entries()) {
      const bodyEnd = controlsHeight(pictures[i], space) + bodyY + body.h;
      if (pictures[i].below) endAboveFoot = Math.max(endAboveFoot, bodyEnd);
      end = Math.max(end, bodyEnd);
      foot = Math.max(foot, below.h);
    }
  }
  const height = Math.max(end, endAboveFoot > 0 ? endAboveFoot + GAP * em * scale.gapFactor + foot : 0);
  return { em, gutter, leastScale: scale, foot, height: Math.ceil(height) };
}

const USUAL: Scale = { gapFactor: 1, grow: 1, isBeside: false };

/** The space in which the heights of a picture's parts are computed. */
function layoutSpace(
  drawingSpace: DrawingSpace,
  fit: Pick<SharedSizes, 'em' | 'gutter' | 'isSmall'>,
  scale: Scale,
): LayoutSpace {
  const { em, gutter, isSmall } = fit;
  return { ...drawingSpace, em, gutter, isSmall, ...scale, state: Number.POSITIVE_INFINITY, heightOnly: true };
}

/** Lays out the three parts of a picture, each on its own. */
function partsOf(
  { above, body, below }: Picture,
  available: LayoutSpace,
): Readonly<Record<'above' | 'body' | 'below', LaidOut>> {
  const lay = (part: Part | undefined): LaidOut => part?.lay(available, available.width) ?? EMPTY;
  return { above: lay(above), body: lay(body), below: lay(below) };
}

/** Where the body of a picture begins. */
function bodyTop({ isJoined }: Picture, above: LaidOut, { em, gapFactor }: LayoutSpace): number {
  return above.h === 0 ? 0 : above.h + (isJoined ? JOINT * em : GAP * em * Math.min(1, gapFactor));
}

/**
 * Draws a picture in its space in one of its states, without parts that appear in a later one. O(marks × arrows).
 *
 * @param sizedAs the picture, one of those that were fitted, whose sizes it has
 */
export function drawPicture(
  picture: Picture,
  drawingSpace: DrawingSpace,
  fit: Fit,
  state: number,
  sizedAs: Picture = picture,
): Drawing {
  const { leastScale, foot } = fit;
  const sizes = fit.ownSizes.get(sizedAs) ?? { above: leastScale, body: leastScale, bodyY: 0 };
  const spaceAt = (scale: Scale): LayoutSpace => ({
    ...layoutSpace(drawingSpace, fit, scale),
    state,
    heightOnly: false,
  });
  const available = spaceAt(sizes.body);
  const lay = (part: Part | undefined, space: LayoutSpace): LaidOut => part?.lay(space, space.width) ?? EMPTY;
  const above = lay(picture.above, spaceAt(sizes.above));
  const body = lay(picture.body, available);
  // The part below has the same scale in all pictures.
  const below = lay(picture.below, spaceAt(leastScale));
  const footHeight = picture.below ? GAP * fit.em * leastScale.gapFactor + foot : 0;
  const end = Math.ceil(sizes.bodyY + body.h + footHeight);
  // A part below ends where the space ends; without it nothing is reserved, except on a phone.
  const isFixed = picture.below !== undefined || isNarrow(available);
  const height = isFixed ? Math.max(fit.height - controlsHeight(picture, available), end) : end;
  const marks = [...above.marks, ...moved(body.marks, 0, sizes.bodyY), ...moved(below.marks, 0, height - foot)];
  return { width: drawingSpace.width, height, marks, links: arrowsOf(picture, marks, available) };
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
