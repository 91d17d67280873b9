// Checks the layout of story pictures at all sizes of the stage: nothing is clipped, overlaps, or has too little contrast.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyFormat } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { Frame, FrameContext } from '../src/story/frames.ts';
import type { Drawing, DrawnMark } from '../src/story/scene.ts';
import type { DrawingSpace } from '../src/story/drawing-space.ts';
import { contrast as contrastOf } from '../src/render/color.ts';
import type { PlacedLink, PlacedMark, Rect } from '../src/render/layout/laid-out.ts';
import { MARGIN } from '../src/render/layout/metrics.ts';
import { placeDrawing } from '../src/render/layout/drawing.ts';
import { Palette } from '../src/render/paint/palette.ts';
import { spriteOf } from '../src/render/paint/sprite.ts';
import { estimateTextWidth } from '../src/render/text-measurer.ts';
import { DARK, LIGHT, withFormats } from '../src/render/theme.ts';
import { allParams, buildMatrix, matrixRecipe, turnOf } from './arbitraries.ts';
import { NOWHERE, textOf } from './frames.ts';
import { columnsMatrix } from './matrices.ts';
import { cases } from './scheduled.ts';

/** Allowed error of positions, in px, since edges are rounded to half a px. */
const ROUNDING = 1;
/** Share of a line's height that its letters fill, in the middle. */
const LETTER_HEIGHT_SHARE = 0.72;
/** Minimum contrast of text by WCAG AA. */
const MIN_CONTRAST = 4.5;
/** Minimum size of text, px; on stages narrower than NARROW_STAGE px, it is MIN_TEXT_NARROW. */
const MIN_TEXT = 12;
const MIN_TEXT_NARROW = 11;
const NARROW_STAGE = 540;

const palettes = [LIGHT, DARK].map((theme) => {
  const colors = { light: '#1F7A63', dark: '#4FC3A1' };
  return new Palette(withFormats(theme, [{ id: 'any', colors }]), colors[theme.name]);
});

/** Contrasts by their two colours. */
const contrasts = new Map<string, number>();

function contrast(ink: string, ground: string): number {
  const key = `${ink} ${ground}`;
  const value = contrasts.get(key) ?? contrastOf(ink, ground);
  contrasts.set(key, value);
  return value;
}

/** The space of a picture, with estimated widths of text. */
export function spaceOf(width: number, height: number): DrawingSpace {
  return { width, height, measure: estimateTextWidth };
}

/**
 * Messages about layout problems of a picture; `available` is the size of its stage without margins. Checks that marks
 * are inside the picture, that text is readable, that cells have one size, and that neither marks nor lines cover text.
 */
export function layoutProblems(picture: Drawing, available: DrawingSpace): string[] {
  const placedDrawing = placeDrawing(
    { ...picture, inSpace: () => picture },
    {
      width: available.width + 2 * MARGIN,
      stageHeight: available.height + 2 * MARGIN,
      measure: estimateTextWidth,
    },
  );
  const words = placedDrawing.marks.filter(({ text }) => text !== null && text !== '');
  return [
    ...positionProblems(placedDrawing.marks, available, placedDrawing.height),
    ...textProblems(words, available),
    ...cellSizeProblems(placedDrawing.marks),
    ...overlapProblems(placedDrawing.marks, words),
    ...crossingProblems(picture, placedDrawing, words),
  ];
}

/** Messages about marks whose id occurs twice, whose position or size is not valid, or that leave the picture. */
function positionProblems(marks: readonly PlacedMark[], available: DrawingSpace, height: number): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const mark of marks) {
    const { id } = mark.mark;
    if (ids.has(id)) problems.push(`two marks '${id}'`);
    ids.add(id);
    const { x, y, w, h } = mark;
    if (![x, y, w, h].every(Number.isFinite) || w < 0 || h < 0)
      problems.push(`'${id}' at ${x}, ${y}, ${w} \u00d7 ${h}`);
    if (
      x < MARGIN - ROUNDING - 1 ||
      x + w > MARGIN + available.width + ROUNDING + 1 ||
      y < MARGIN - ROUNDING ||
      y + h > height - MARGIN + ROUNDING
    )
      problems.push(
        `'${id}' leaves the picture: ${Math.round(x)}, ${Math.round(y)}, ${Math.round(w)} \u00d7 ${Math.round(h)} of ${available.width} \u00d7 ${height}`,
      );
  }
  return problems;
}

/** Messages about text that is too small, faded, larger than its box, or has too little contrast in a theme. */
function textProblems(words: readonly PlacedMark[], available: DrawingSpace): string[] {
  const problems: string[] = [];
  const minPx = available.width < NARROW_STAGE ? MIN_TEXT_NARROW : MIN_TEXT;
  for (const word of words) {
    const report = (problem: string): void => void problems.push(`'${word.text}' of '${word.mark.id}'${problem}`);
    if (word.font.px < minPx) report(` is ${word.font.px} px, expected at least ${minPx}`);
    if (word.mark.state === 'dim') report(' is faded');
    if (isBox(word) && estimateTextWidth(word.text ?? '', word.font) > word.w + ROUNDING)
      report(' is wider than its box');
    if (isBox(word) && word.font.px > word.h) report(' is higher than its box');
    for (const palette of palettes) {
      const { ink, fill } = spriteOf(word, palette);
      const ground = fill ?? palette.theme.ground;
      if (contrast(ink, ground) < MIN_CONTRAST)
        report(`: contrast ${contrast(ink, ground).toFixed(1)} in ${palette.theme.name}`);
    }
  }
  return problems;
}

/** Messages about text without a box that covers another mark, and about boxes that overlap by more than 2 px. */
function overlapProblems(marks: readonly PlacedMark[], words: readonly PlacedMark[]): string[] {
  const problems: string[] = [];
  const wordsWithoutBox = new Set(words.filter((word) => !isBox(word)));
  const owners = new Map([...wordsWithoutBox].map((word) => [word, ownerId(word)]));
  const mayOverlap = marks.filter((mark) => wordsWithoutBox.has(mark) || isBox(mark) || mark.mark.shape === 'bracket');
  for (const [a, b] of overlapping(mayOverlap, lettersOf, ROUNDING)) {
    const [word, other] = wordsWithoutBox.has(a) ? [a, b] : [b, a];
    // Pieces of one text may touch each other.
    if (wordsWithoutBox.has(word) && owners.get(word) !== (owners.get(other) ?? ownerId(other)))
      problems.push(`'${word.text}' of '${word.mark.id}' is over '${other.text ?? ''}' of '${other.mark.id}'`);
  }
  for (const [a, b] of overlapping(marks.filter(isBox), (box) => box, 2))
    problems.push(`'${a.mark.id}' is over '${b.mark.id}'`);
  return problems;
}

/** Messages about lines that cross text, and arrows that cross text or boxes other than those that they link. */
function crossingProblems(
  picture: Drawing,
  placedDrawing: ReturnType<typeof placeDrawing>,
  words: readonly PlacedMark[],
): string[] {
  const problems: string[] = [];
  for (const { mark, points = [] } of placedDrawing.marks) {
    if (mark.shape !== 'line') continue;
    const path = pathThrough(points);
    for (const word of words)
      if (crosses(path, lettersOf(word))) problems.push(`the line '${mark.id}' crosses '${word.text}'`);
  }
  const linksById = new Map((picture.links ?? []).map((link) => [link.id, link]));
  for (const link of placedDrawing.links) {
    const { from, to } = linksById.get(link.id) ?? {};
    const path = pathThrough(curvePoints(link));
    for (const mark of placedDrawing.marks)
      if (
        mark.mark.id !== from &&
        mark.mark.id !== to &&
        (isBox(mark) || mark.text !== null) &&
        crosses(path, lettersOf(mark))
      )
        problems.push(`the arrow '${link.id}' crosses '${mark.text ?? ''}' of '${mark.mark.id}'`);
  }
  return problems;
}

/** Messages about matrix cells that differ in width or height. */
function cellSizeProblems(marks: readonly PlacedMark[]): string[] {
  const ids = new Set(marks.map(({ mark }) => mark.id));
  // A weight that has moved into a list is no longer a cell of the matrix.
  const cells = marks.filter(
    (mark) => isBox(mark) && MATRIX_CELL.test(mark.mark.id) && !ids.has(`gone ${mark.mark.id}`),
  );
  const [first] = cells;
  const other = cells.find(({ w, h }) => Math.abs(w - first.w) > ROUNDING || Math.abs(h - first.h) > ROUNDING);
  if (!other) return [];
  const sizeOf = ({ mark, w, h }: PlacedMark): string => `'${mark.id}' is ${w.toFixed(1)} \u00d7 ${h.toFixed(1)} px`;
  return [`${sizeOf(first)}, but ${sizeOf(other)}, expected all cells of a matrix of one size`];
}

const MATRIX_CELL = /^(gone )?cell \d+,\d+$/;

const isBox = ({ mark }: PlacedMark): boolean => mark.shape === 'box' || mark.shape === 'frame';

/** The id of the mark to which a piece of text belongs: pieces have ids such as 'id 0.1'. */
const ownerId = ({ mark }: PlacedMark): string => mark.id.replace(/ \d+\.\d+$/, '');

/** The rectangle of a mark or, for text without a box, of its letters. */
function lettersOf(mark: PlacedMark): Rect {
  if (isBox(mark) || mark.mark.shape === 'line' || mark.mark.shape === 'bracket') return mark;
  const h = mark.h * LETTER_HEIGHT_SHARE;
  return { x: mark.x, y: mark.y + (mark.h - h) / 2, w: mark.w, h };
}

/**
 * Pairs of marks that overlap by more than `tolerance`, px. Marks are sorted from the top, so each is compared only with nearby
 * ones.
 */
function overlapping(
  marks: readonly PlacedMark[],
  rectOf: (mark: PlacedMark) => Rect,
  tolerance: number,
): (readonly [PlacedMark, PlacedMark])[] {
  const marksWithRects = marks.map((mark) => ({ mark, rect: rectOf(mark) })).sort((a, b) => a.rect.y - b.rect.y);
  const pairs: (readonly [PlacedMark, PlacedMark])[] = [];
  for (const [i, { mark, rect: a }] of marksWithRects.entries()) {
    for (let j = i + 1; j < marksWithRects.length; j++) {
      const b = marksWithRects[j].rect;
      if (Math.min(a.y + a.h, b.y + b.h) - b.y > tolerance) {
        if (Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) > tolerance) pairs.push([mark, marksWithRects[j].mark]);
      } else if (a.y + a.h - b.y <= tolerance) break;
    }
  }
  return pairs;
}

type Points = readonly (readonly [number, number])[];

interface Path {
  readonly points: Points;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A path through points, with further points between them, and its bounding box. */
function pathThrough(corners: Points): Path {
  const points = corners.flatMap(([x1, y1], i) => {
    const [x2, y2] = corners[Math.min(i + 1, corners.length - 1)];
    return [0, 0.25, 0.5, 0.75, 1].map((t): [number, number] => [x1 + (x2 - x1) * t, y1 + (y2 - y1) * t]);
  });
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { points, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Whether a point of the path is inside a rectangle. */
function crosses({ points, left, right, top, bottom }: Path, { x, y, w, h }: Rect): boolean {
  if (right <= x || left >= x + w || bottom <= y || top >= y + h) return false;
  return points.some(
    ([px, py]) => px > x + ROUNDING && px < x + w - ROUNDING && py > y + ROUNDING && py < y + h - ROUNDING,
  );
}

/** Points of the curves of a link, close to each other: each curve is a cubic Bézier from the end of the one before it. */
function curvePoints({ start, curves }: PlacedLink): Points {
  let [x0, y0] = start;
  return curves.flatMap(([x1, y1, x2, y2, x3, y3]) => {
    const points = Array.from({ length: 33 }, (_, i): [number, number] => {
      const [t, u] = [i / 32, 1 - i / 32];
      const cubicBezier = (a: number, b: number, c: number, d: number): number =>
        u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
      return [cubicBezier(x0, x1, x2, x3), cubicBezier(y0, y1, y2, y3)];
    });
    [x0, y0] = [x3, y3];
    return points;
  });
}

/** Marks of a picture by their ids. */
export function marksOf({ marks }: Drawing): ReadonlyMap<string, DrawnMark> {
  return new Map(marks.map((mark) => [mark.id, mark]));
}

/** Width and height of a stage, px, in windows of different sizes and where stories are exported or embedded. */
export const STAGE_SIZES = [
  [1376, 560], // in a window of 1440 px
  [960, 480], // 1024 px
  [358, 520], // 390 px
  [1904, 720], // full screen
  [784, 484], // GIF
  [944, 584], // SVG
  [324, 1e9], // paper, whose height is not limited
  [672, 260], // 720 px, which is 1440 px at a zoom of 200 %
  [788, 200], // 844 × 390 px
  [1217, 358], // 1280 × 720 px
  [912, 380], // embedded in 960 × 600 px
] as const;

/** A picture of a frame, laid out for a space. */
function drawnIn(available: DrawingSpace, frame: Frame, picture: number, context: FrameContext): Drawing {
  const drawing = frame.draw(picture, context);
  return drawing.inSpace?.(available) ?? drawing;
}

/** The default size of a story. */
const SPACE = spaceOf(1000, 560);

/** A picture of a frame at a size; by default its last picture. */
export function drawn(frame: Frame, picture = frame.moves.length - 1, available = SPACE, context = NOWHERE): Drawing {
  return drawnIn(available, frame, picture, context);
}

/** The texts of the marks of a picture whose id begins with `prefix`. */
export function texts(frame: Frame, prefix: string, picture?: number, context = NOWHERE): readonly string[] {
  const marks = drawn(frame, picture, SPACE, context).marks.filter(({ id }) => id.startsWith(prefix));
  return marks.map(textOf);
}

/** Layout problems of the first and the last picture of each frame. */
function framesProblems(frames: readonly Frame[], available: DrawingSpace, context: FrameContext): string[] {
  return frames.flatMap((frame) =>
    [...new Set([0, frame.moves.length - 1])].flatMap((picture) =>
      layoutProblems(drawnIn(available, frame, picture, context), available).map(
        (problem) => `${available.width} px, ${frame.id} ${picture}: ${problem}`,
      ),
    ),
  );
}

/** Which coordinates of a mark stay the same in all frames that have it; null for none. `fits`: the picture fits its space. */
type FixedCoordinates = (
  mark: DrawnMark,
  frame: Frame,
  fits: boolean,
) => 'in place' | 'at its height' | 'in its column' | null;

/**
 * Expects that marks keep the coordinates that `fixedCoordinates` names from frame to frame. Returns the number of compared
 * marks.
 */
export function expectFixedCoordinates(
  frames: readonly Frame[],
  available: DrawingSpace,
  {
    fixedCoordinates,
    context,
    title,
  }: { readonly fixedCoordinates: FixedCoordinates; readonly context: FrameContext; readonly title: string },
): number {
  const positions = new Map<string, string>();
  for (const frame of frames) {
    const { marks, height } = drawnIn(available, frame, frame.moves.length - 1, context);
    for (const mark of marks) {
      const fixedPart = fixedCoordinates(mark, frame, height <= available.height);
      if (fixedPart === null) continue;
      const { id, x, y, size } = mark;
      const position = `${fixedPart === 'at its height' ? '' : Math.round(x)}, ${fixedPart === 'in its column' ? '' : Math.round(y)}, ${size}`;
      expect(positions.get(id) ?? position, `${title}, ${frame.id}: ${id}`).toBe(position);
      positions.set(id, position);
    }
  }
  return positions.size;
}

/** Whole numbers below n. */
export const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** A matrix with entries where `isEntry` returns true. */
const patternMatrix = (rows: number, cols: number, isEntry: (column: number, row: number) => boolean): Matrix =>
  columnsMatrix(
    cols,
    upTo(rows).map((row) => upTo(cols).filter((column) => isEntry(column, row))),
  );

/** Windows on which every story is tested, besides those of its format. */
export const USUAL_WINDOWS = {
  'few entries': columnsMatrix(32, [[0, 20], [], [], [], [], [], [], []]),
  'one row': patternMatrix(1, 64, (column) => (column * 7) % 10 < 3),
  'one column': patternMatrix(64, 1, (_, row) => row % 2 === 0),
  diagonal: patternMatrix(32, 32, (column, row) => column === row),
  full: patternMatrix(24, 64, () => true),
  'empty rows': patternMatrix(40, 60, (column, row) => row % 2 === 1 && (column * 11 + row) % 12 === 0),
  '24 rows': patternMatrix(24, 48, (column, row) => (column * 7 + row) % 9 === 0),
  zeros: columnsMatrix(8, [[], []]),
  'no cells': columnsMatrix(0, [[], []]),
  'one cell': columnsMatrix(1, [[0]]),
} as const satisfies Readonly<Record<string, Matrix>>;

/** A story whose layout is tested at all sizes. */
interface StoryAtSizes<P> {
  readonly format: AnyFormat;
  readonly context: FrameContext;
  /** the windows by their titles */
  readonly windows: Readonly<Record<string, Matrix>>;
  readonly framesOf: (m: Matrix, params?: P) => readonly Frame[];
  readonly fixedCoordinates?: FixedCoordinates;
  /** further parameters, the titles of the windows on which they are tested, and whether `fixedCoordinates` is tested too */
  readonly otherParams?: {
    readonly params: readonly P[];
    readonly windows: readonly string[];
    readonly checksCoordinates?: boolean;
  };
  /** the frames of a random window with parameters of the format; null where there are none */
  readonly random: (m: Matrix, params: P) => readonly Frame[] | null;
  /** the context of frames for random windows, if it differs */
  readonly randomContext?: FrameContext;
}

/** Declares tests that the pictures of a story have no layout problems at any size. */
export function describeSpaces<P>(story: StoryAtSizes<P>): void {
  const { format, context, windows, framesOf, otherParams, randomContext = context } = story;
  const expectFixed = (frames: readonly Frame[], available: DrawingSpace, title: string): void => {
    if (story.fixedCoordinates)
      expectFixedCoordinates(frames, available, { fixedCoordinates: story.fixedCoordinates, context, title });
  };
  describe('at every size', () => {
    const turns = cases(Math.min(5, Object.keys(windows).length), 1);
    it.each(Object.entries(windows).map(([title, m], i) => [title, m, i] as const))(
      'no text is clipped, too small, too faint or covered: %s',
      (title, m, i) => {
        const frames = framesOf(m);
        // Each window is tested at some of the sizes, which change from window to window.
        const sizes = STAGE_SIZES.filter((_, j) => (i + j) % turns === 0);
        expect(sizes.flatMap(([width, height]) => framesProblems(frames, spaceOf(width, height), context))).toEqual([]);
        for (const [width, height] of turnOf([STAGE_SIZES[0], STAGE_SIZES[2]], i, 2))
          expectFixed(frames, spaceOf(width, height), title);
      },
    );

    it.each((otherParams?.params ?? []).map((params, i) => [params, i] as const))(
      'the layout has no problems with %o',
      (params, i) => {
        for (const [k, title] of (otherParams?.windows ?? []).entries())
          for (const [width, height] of turnOf(STAGE_SIZES.slice(1, 3), i + k, 2)) {
            const frames = framesOf(windows[title], params);
            expect(framesProblems(frames, spaceOf(width, height), context), title).toEqual([]);
            if (otherParams?.checksCoordinates) expectFixed(frames, spaceOf(width, height), title);
          }
      },
    );

    it('the layout has no problems at random sizes, on random windows', () => {
      fc.assert(
        fc.property(
          matrixRecipe(12, 48),
          fc.constantFrom(...allParams(format)),
          fc.integer({ min: 304, max: 1904 }),
          fc.integer({ min: 240, max: 1100 }),
          (recipe, params, width, height) => {
            const frames = story.random(buildMatrix(recipe), params as P);
            if (frames) expect(framesProblems(frames, spaceOf(width, height), randomContext)).toEqual([]);
          },
        ),
        { numRuns: cases(8, 300) },
      );
    });
  });
}
