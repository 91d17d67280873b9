import { counter, GUTTER, words } from '../../../core/story/drawing.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { KEPT, WINDOW } from '../params.ts';
import { copiesOfX, type SlowGroup, sumsOf } from './script-group.ts';
import { DIGIT, drawingOf, numberIn } from './script-parts.ts';

/** The product of one group: every window gets its own four numbers of x. */

/** A number of x: the stories' own have one decimal. */
const xText = (value: number): string =>
  Number.isInteger(value * 10) ? `${value < 0 ? '\u2212' : ''}${Math.abs(value)}` : valueText(value);

/** A number, or nothing where it does not fit. */
const fits = (number: string, size: number, width: number): string =>
  number.length * size * DIGIT <= width ? number : '';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly pitch: number;
  readonly height: number;
}

interface Stage {
  readonly group: SlowGroup;
  readonly isWide: boolean;
  /** where a number of x stands before it is copied */
  readonly sourceAt: (column: number) => Place;
  readonly windowAt: (window: number) => Place;
  /** whether windows are in one line below x, so that arrows lead to them */
  readonly hasArrows: boolean;
  /** below the windows, and below their sums where these are below them */
  readonly end: number;
}

/** More windows than this are in two lines, more numbers of x on a phone, too: their digits would not fit. */
const MAX_IN_LINE = 4;
const MAX_NUMBERS = 10;
const GAP = 10;

function stageOf(group: SlowGroup, isWide: boolean): Stage {
  return isWide ? wideStage(group) : narrowStage(group);
}

function narrowStage(group: SlowGroup): Stage {
  const count = group.windows.length;
  const columns = group.cells.length;
  const lines = columns > MAX_NUMBERS ? 2 : 1;
  const inLine = Math.ceil(columns / lines);
  const pitch = Math.min(42, 332 / inLine);
  const top = 34 + lines * 24;
  const step = Math.min(78, (380 - top) / count);
  return {
    group,
    isWide: false,
    sourceAt: (c) => ({ x: 4 + (c % inLine) * pitch, y: 18 + Math.floor(c / inLine) * 25, pitch, height: 21 }),
    windowAt: (w) => ({ x: 8, y: top + w * step, pitch: 58, height: (step - 8) / 2 }),
    hasArrows: false,
    end: top + count * step,
  };
}

function wideStage(group: SlowGroup): Stage {
  const count = group.windows.length;
  const columns = group.cells.length;
  const lines = count > MAX_IN_LINE ? 2 : 1;
  const inLine = Math.ceil(count / lines);
  const pitch = Math.min(64, (690 - (inLine - 1) * GAP) / (inLine * WINDOW));
  const width = inLine * WINDOW * pitch + (inLine - 1) * GAP;
  const source = Math.min(52, 690 / columns);
  const start = GUTTER + Math.max(0, (width - columns * source) / 2);
  const [top, step, height] = lines === 1 ? [96, 104, 32] : [54, 88, 26];
  return {
    group,
    isWide: true,
    sourceAt: (c) => ({ x: start + c * source, y: 4, pitch: source, height: 28 }),
    windowAt: (w) => ({
      x: GUTTER + 4 + (w % inLine) * (WINDOW * pitch + GAP),
      y: top + Math.floor(w / inLine) * step,
      pitch,
      height,
    }),
    hasArrows: lines === 1,
    end: top + lines * step,
  };
}

/** How far the product has come. */
interface ProductPart {
  /** windows that have their numbers of x */
  readonly windows: number;
  readonly hasSums: boolean;
  readonly isDone: boolean;
}

/** The part that picture `picture` shows: a window at a time, then its sums, then their sum. */
export const productPart = ({ windows }: SlowGroup, picture: number): ProductPart => ({
  windows: Math.min(windows.length, picture + 1),
  hasSums: picture >= windows.length,
  isDone: picture > windows.length,
});

export function productPicture(group: SlowGroup, { layout }: FrameContext, part: ProductPart): Drawing {
  const stage = stageOf(group, layout === 'wide');
  const numbers = Array.from({ length: group.windows.length }, (_, w) => w);
  const copies = copiesOfX(group);
  const once = group.cells.length;
  const marks: readonly DrawnMark[] = [
    ...sourceMarks(stage),
    ...numbers.flatMap((w) => windowMarks(stage, w, part)),
    ...sumMarks(stage, part),
    ...counter(layout, {
      title: 'x',
      parts: [
        { tone: 'ink', value: once, label: `each once: ${once}` },
        { tone: 'neutral', value: copies - once, ...(copies > once && { label: `a second time: ${copies - once}` }) },
      ],
      of: copies,
      number: String(copies),
      unit: copies > once ? `numbers of x instead of ${once}` : 'numbers of x',
    }),
  ];
  const links = stage.hasArrows ? numbers.slice(0, part.windows).flatMap((w) => copyLinks(stage, w)) : [];
  return drawingOf(layout, marks, links);
}

function sourceMarks({ group, sourceAt, isWide }: Stage): readonly DrawnMark[] {
  const { t } = group;
  const scale = t.quantised ? `8 bits × ${t.quantised.scale.toPrecision(3)}` : '';
  const label = `${group.cells.length} of x`;
  const text = isWide || scale === '' ? label : `${label}, ${scale}`;
  return [
    words('label x', isWide ? { x: 0, y: 9 } : { x: 4, y: 0 }, text, { size: 12, strong: true, tone: 'ink' }),
    ...(isWide && scale !== '' ? [words('scale of x', { x: 0, y: 24, w: GUTTER - 2 }, scale, { size: 11 })] : []),
    ...group.cells.map(({ column }, c): DrawnMark => {
      const { x, y, pitch, height } = sourceAt(c);
      const size = pitch > 36 ? 13 : 11;
      const number = xText(t.x[column]);
      return {
        id: elementName('x', column),
        shape: 'frame',
        tone: 'ink',
        x,
        y,
        w: pitch - 5,
        h: height,
        size,
        text: fits(number, size, pitch - 5),
        label: `x of column ${column}: ${valueText(t.x[column])}`,
        about: [elementName('x', column)],
      };
    }),
  ];
}

/** Columns of the cut that a window covers, with the box that keeps each, if one does. */
function coveredBy({ cells, windows }: SlowGroup, w: number) {
  const { start, boxes } = windows[w];
  return cells.slice(start, start + WINDOW).map(({ column }) => ({
    column,
    box: boxes.find((box) => box.column === column && !box.isEmpty) ?? null,
  }));
}

function windowMarks(stage: Stage, w: number, { windows, hasSums }: ProductPart): readonly DrawnMark[] {
  const { group, isWide } = stage;
  const at = stage.windowAt(w);
  const isThere = w < windows;
  const frame: DrawnMark = {
    id: `window of x ${w}`,
    shape: 'frame',
    tone: 'format',
    x: at.x - 3,
    y: at.y - 4,
    w: WINDOW * at.pitch + 4,
    h: 2 * at.height + 8,
    label: `window ${w}`,
  };
  const labels =
    w > 0 || !isWide
      ? []
      : [
          words('label copies', { x: 0, y: at.y + 7 }, `${copiesOfX(group)} of x`, {
            size: 12,
            strong: true,
            tone: 'ink',
          }),
          words('label weights', { x: 0, y: at.y + at.height + 7 }, 'weights', { size: 12 }),
        ];
  const width = at.pitch - 4;
  const cells = coveredBy(group, w).flatMap(({ column, box }, i): DrawnMark[] => {
    const x = at.x + i * at.pitch;
    const id = `copy ${w}.${i}`;
    const size = width >= 36 ? 12 : 10;
    const number = xText(group.t.x[column]);
    const place = { x, y: at.y, w: width, h: at.height - 3 };
    const copy: DrawnMark = isThere
      ? {
          id,
          shape: box ? 'frame' : 'box',
          tone: box ? 'ink' : 'neutral',
          level: 0,
          ...place,
          size,
          text: fits(number, size, width),
          label: `x of column ${column}: ${number}${box ? '' : ', not used by this window'}`,
          about: [elementName('x', column)],
          from: elementName('x', column),
          ...(!box && { state: 'dim' as const }),
        }
      : { id: `${id} to come`, shape: 'box', tone: 'neutral', state: 'ghost', ...place };
    if (!box) return [copy];
    const name = elementName('values', box.index);
    // Four digits, so that the sums are right to the eye, where they fit with a minus sign.
    const points = width >= 46 ? 10.5 : 11;
    const text = numberIn(box.value, width - 1, points, width >= 46 ? 4 : 2);
    return [
      copy,
      {
        id: name,
        shape: 'box',
        tone: 'values',
        level: 0,
        x,
        y: at.y + at.height + 1,
        w: width,
        h: at.height - 3,
        size: points,
        text,
        label: `weight of column ${column}: ${valueText(box.value)}`,
        about: [name, cellName(group.row, column)],
        ...(hasSums && { level: 0.2 }),
      },
    ];
  });
  return [frame, ...labels, ...cells];
}

function copyLinks({ group }: Stage, w: number): readonly DrawnLink[] {
  return coveredBy(group, w).map(({ column, box }, i): DrawnLink => ({
    id: `copy of ${column} for ${w}`,
    from: elementName('x', column),
    to: `copy ${w}.${i}`,
    ...(box ? { kind: 'curve', tone: 'ink', arrow: true } : { kind: 'guide', tone: 'neutral' }),
  }));
}

function sumMarks(stage: Stage, { hasSums, isDone }: ProductPart): readonly DrawnMark[] {
  const { group, isWide, end } = stage;
  if (!hasSums) return [];
  const { byWindow, all } = sumsOf(group);
  const marks: DrawnMark[] = byWindow.flatMap((sum, w): DrawnMark[] => {
    const at = stage.windowAt(w);
    const middle = at.x + (WINDOW * at.pitch) / 2;
    const where = isWide ? { x: middle, y: at.y + 2 * at.height + 10 } : { x: 336, y: at.y + at.height - 12 };
    const align = isWide ? 'middle' : 'end';
    const number = words(`sum ${w}`, where, valueText(sum), { align, face: 'mono', size: 14, tone: 'ink' });
    if (w === 0 || !isWide) return [number];
    return [words(`plus ${w}`, { x: at.x - 8, y: where.y }, '+', { align: 'middle', size: 14 }), number];
  });
  const { y, height } = stage.windowAt(0);
  if (isWide) marks.unshift(words('label sums', { x: 0, y: y + 2 * height + 11 }, 'sums', { size: 12 }));
  if (!isDone) return marks;
  const columns = group.cells.length;
  const products = KEPT * group.windows.length;
  const total = `= ${valueText(all)}`;
  const unit =
    products < columns
      ? `the unit multiplies ${products} times, not ${columns}`
      : `the unit multiplies ${products} times`;
  const same = `the same as ${columns} weights × ${columns} of x`;
  if (!isWide) {
    marks.push(
      words('total', { x: 336, y: end - 2 }, total, {
        align: 'end',
        face: 'mono',
        size: 15,
        strong: true,
        tone: 'ink',
      }),
    );
    marks.push(words('multiplies', { x: 4, y: end - 1 }, unit, { size: 12, strong: true, tone: 'ink' }));
    if (group.windows.length < 5) marks.push(words('same', { x: 4, y: end + 24 }, same, { size: 12 }));
    return marks;
  }
  marks.push(
    words('total', { x: GUTTER + 300, y: end + 16 }, total, { face: 'mono', size: 18, strong: true, tone: 'ink' }),
  );
  marks.push(words('multiplies', { x: GUTTER, y: end + 20 }, unit, { size: 13, strong: true, tone: 'ink' }));
  marks.push(words('same', { x: GUTTER + 430, y: end + 20 }, same, { size: 13 }));
  return marks;
}
