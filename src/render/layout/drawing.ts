import type { Drawing, DrawnLink, DrawnMark, LinkPath, Tone } from '../../story/scene.ts';
import type { DrawingSpace } from '../../story/drawing-space.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import type { LaidOutScene, PlacedLink, PlacedMark, Rect } from './laid-out.ts';
import { MARGIN } from './metrics.ts';

// Lays out drawings: pictures whose marks already have positions. Breaks texts into lines and routes links.

/** Font size of texts without a size, in a box and elsewhere, px. */
const BOX_WORDS = 12;
const OTHER_WORDS = 13;
/** Height of a line as a multiple of its font size. */
const LINE_HEIGHT = 1.4;
const CORNER_RADIUS = 3;
/** A link whose ends differ by less than this horizontally is drawn vertical: a small slant would look like a mistake, px. */
const UPRIGHT = 3;
/** Gap between the ends of a link and its marks, px. */
const CLEARANCE = 2;
/** Additional gap for the head of an arrow, px. */
const HEAD = 3;

type Alignment = NonNullable<PlacedMark['align']>;
const ALIGNMENTS: Readonly<Record<NonNullable<DrawnMark['align']>, Alignment>> = {
  start: 'left',
  middle: 'center',
  end: 'right',
};

interface DrawingOptions {
  readonly width: number;
  readonly stageHeight: number; // px: the part of the stage that is visible at once
  readonly storyHeight?: number; // px: the same for all pictures of a story; default: `stageHeight`
  readonly measure: TextMeasurer;
}

/** The space for a drawing, within the margins, px. */
export function drawingSpace({ width, stageHeight, storyHeight = stageHeight, measure }: DrawingOptions): DrawingSpace {
  return { width: Math.max(120, width - 2 * MARGIN), height: storyHeight - 2 * MARGIN, measure };
}

/** The layout of a drawing. O(marks + words). */
export function placeDrawing(original: Drawing, options: DrawingOptions): LaidOutScene {
  const { width, measure } = options;
  const drawing = original.inSpace?.(drawingSpace(options)) ?? original;
  const marks = drawing.marks.flatMap((mark) => placeMark(mark, measure));
  return {
    width,
    height: Math.ceil(drawing.height + 2 * MARGIN),
    panels: [],
    marks,
    labels: [],
    links: placeLinks(drawing.links ?? [], marks),
    tags: [],
  };
}

/** Fonts by their properties: painters compare them by identity. */
const fonts = new Map<string, Font>();

/** The font of a mark; the same object for equal properties. */
function fontOf({ shape, size, face, strong, focus }: DrawnMark, isStrong = strong): Font {
  const isBox = shape === 'box' || shape === 'frame';
  // Rounded down to half px, so that a text that just fits still does.
  const px = Math.floor((size ?? (isBox ? BOX_WORDS : OTHER_WORDS)) * 2) / 2;
  const font: Font = {
    face: face ?? (isBox ? 'mono' : 'sans'),
    px,
    strong: isStrong === true || (!isBox && focus === true),
  };
  const key = `${font.face} ${px} ${font.strong}`;
  const cached = fonts.get(key);
  if (cached) return cached;
  fonts.set(key, font);
  return font;
}

/** A rectangle of a drawing on the canvas. Its edges are rounded to half px, so that neighbours still touch. */
function rectOf({ x, y, w, h }: Rect): Rect {
  const px = (coordinate: number): number => MARGIN + Math.round(coordinate * 2) / 2;
  const [left, top] = [px(x), px(y)];
  return { x: left, y: top, w: px(x + w) - left, h: px(y + h) - top };
}

function placeMark(mark: DrawnMark, measure: TextMeasurer): readonly PlacedMark[] {
  const rect = rectOf(mark);
  if (mark.shape === 'text') return placeWords(mark, rect, measure);
  const font = fontOf(mark);
  const radius = mark.shape === 'box' ? Math.min(CORNER_RADIUS, rect.h / 4, rect.w / 4) : CORNER_RADIUS;
  const points = mark.points?.map(([x, y]): [number, number] => [MARGIN + x, MARGIN + y]);
  return [
    {
      ...rect,
      mark,
      unit: 'cell',
      radius,
      text: mark.text ?? null,
      font,
      ...(points && { points }),
      ...(mark.thickness !== undefined && { thickness: mark.thickness }),
      ...(mark.opensDown && { opensDown: true }), // of a bracket
    },
  ];
}

/** A word with its style, or adjacent words of the same style. */
interface Word {
  readonly text: string;
  readonly font: Font;
  readonly tone: Tone;
  readonly focus: boolean;
}

/** The words of a mark within its width, line by line; adjacent words of the same style become one piece. */
function placeWords(mark: DrawnMark, rect: Rect, measure: TextMeasurer): readonly PlacedMark[] {
  const runs = mark.runs ?? (mark.text === undefined ? [] : [{ text: mark.text }]);
  const words = runs.flatMap((run): Word[] => {
    const isStrong = ('strong' in run ? run.strong : undefined) ?? mark.strong;
    const style = {
      font: fontOf(mark, isStrong),
      tone: ('tone' in run ? run.tone : undefined) ?? mark.tone,
      focus: mark.focus === true,
    };
    // A word keeps the space after it. Only plain spaces separate words: '2 048' and '15 %' stay on one line.
    return (run.text.match(/[^ ]+ *| +/g) ?? []).map((text) => ({ text, ...style }));
  });
  const lines = mark.w > 0 ? linesOf(words, rect.w, measure) : [words];
  const align = ALIGNMENTS[mark.align ?? 'start'];
  const height = fontOf(mark).px * LINE_HEIGHT;
  return lines.flatMap((line, row) => {
    const pieces = joined(line);
    const widths = pieces.map(({ text, font }) => measure(text, font));
    const total = widths.reduce((sum, width) => sum + width, 0);
    const free = rect.w - total;
    let x = rect.x + (align === 'left' ? 0 : align === 'center' ? free / 2 : free);
    return pieces.map(({ text, font, tone, focus }, i): PlacedMark => {
      const { from: _, ...withoutOrigin } = mark; // only the first word moves from the origin
      const id = row === 0 && i === 0 ? mark.id : `${mark.id} ${row}.${i}`;
      const placed: PlacedMark = {
        x,
        y: rect.y + row * height + (lines.length === 1 && rect.h > 0 ? rect.h / 2 - height / 2 : 0),
        w: widths[i],
        h: height,
        mark: { ...(i === 0 && row === 0 ? mark : withoutOrigin), id, tone, focus, text },
        unit: 'cell',
        radius: 0,
        text,
        font,
      };
      x += widths[i];
      return placed;
    });
  });
}

/** Breaks words into lines of at most this width, px. */
function linesOf(words: readonly Word[], width: number, measure: TextMeasurer): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]];
  let used = 0;
  for (const word of words) {
    const line = lines[lines.length - 1];
    // Half a px of tolerance: a text exactly as wide as its space stays on one line despite rounding.
    if (line.length > 0 && used + measure(word.text.trimEnd(), word.font) > width + 0.5) {
      lines.push([word]);
      used = measure(word.text, word.font);
    } else {
      line.push(word);
      used += measure(word.text, word.font);
    }
  }
  return lines;
}

/** Joins adjacent words of the same style, without the space at the end of the line. */
function joined(line: readonly Word[]): readonly Word[] {
  const pieces: Word[] = [];
  for (const word of line) {
    const last = pieces.at(-1);
    if (last && last.font === word.font && last.tone === word.tone)
      pieces[pieces.length - 1] = { ...last, text: last.text + word.text };
    else pieces.push(word);
  }
  const end = pieces.pop();
  const text = end?.text.trimEnd() ?? '';
  return end && text !== '' ? [...pieces, { ...end, text }] : pieces;
}

/** The links whose two marks are drawn, with their paths. */
function placeLinks(links: readonly DrawnLink[], marks: readonly PlacedMark[]): readonly PlacedLink[] {
  const byId = new Map(marks.map((placed) => [placed.mark.id, placed]));
  return links.flatMap((link): PlacedLink[] => {
    const [from, to] = [byId.get(link.from), byId.get(link.to)];
    if (!from || !to) return [];
    const { id, kind, tone, arrow, dashed, path } = link;
    const route = path ? placedPath(path) : routeBetween(from, to, arrow ? HEAD : 0);
    return [{ id, kind, tone, ...route, ...(arrow && { arrow }), ...(dashed && { dashed }) }];
  });
}

/** A path of a drawing on the canvas. */
function placedPath({ start: [x, y], curves }: LinkPath): LinkPath {
  const m = MARGIN;
  return {
    start: [m + x, m + y],
    // Cubic Bézier curves: two control points and the end.
    curves: curves.map(([x1, y1, x2, y2, endX, endY]) => [m + x1, m + y1, m + x2, m + y2, m + endX, m + endY]),
  };
}

/**
 * A curve between the middles of facing edges: vertical if the marks are above each other, else horizontal. `head`:
 * px to leave at its end for an arrow's head.
 */
function routeBetween(from: Rect, to: Rect, head: number): Pick<PlacedLink, 'start' | 'curves'> {
  const below = to.y >= from.y + from.h - 1;
  const above = from.y >= to.y + to.h - 1;
  if (below || above) {
    const sign = below ? 1 : -1;
    const [x1, y1] = [from.x + from.w / 2, below ? from.y + from.h + CLEARANCE : from.y - CLEARANCE];
    const middle = to.x + to.w / 2;
    const [x2, y2] = [
      Math.abs(middle - x1) < UPRIGHT ? x1 : middle,
      (below ? to.y - CLEARANCE : to.y + to.h + CLEARANCE) - sign * head,
    ];
    const bend = (y2 - y1) / 2;
    return { start: [x1, y1], curves: [[x1, y1 + bend, x2, y2 - bend, x2, y2]] };
  }
  const isRight = to.x >= from.x;
  const sign = isRight ? 1 : -1;
  const [x1, y1] = [isRight ? from.x + from.w + CLEARANCE : from.x - CLEARANCE, from.y + from.h / 2];
  const [x2, y2] = [(isRight ? to.x - CLEARANCE : to.x + to.w + CLEARANCE) - sign * head, to.y + to.h / 2];
  const bend = (x2 - x1) / 2;
  return { start: [x1, y1], curves: [[x1 + bend, y1, x2 - bend, y2, x2, y2]] };
}
