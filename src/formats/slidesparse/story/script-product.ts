import { counter, GUTTER, words } from '../../../core/story/drawing.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { KEPT, WINDOW } from '../params.ts';
import { copiesOfX, type SlowGroup, sumsOf } from './script-group.ts';
import { drawingOf, numberIn } from './script-parts.ts';

/** The product of one group: every window gets its own four numbers of x. */

/** A number of x: the stories' own have one decimal. */
const xText = (value: number): string =>
  Number.isInteger(value * 10) ? `${value < 0 ? '\u2212' : ''}${Math.abs(value)}` : valueText(value);

interface Place {
  readonly x: number;
  readonly y: number;
  readonly pitch: number;
  readonly height: number;
}

interface Stage {
  readonly group: SlowGroup;
  readonly isWide: boolean;
  /** where the numbers of x stand before they are copied */
  readonly source: Place;
  readonly windowAt: (window: number) => Place;
  /** below the windows */
  readonly end: number;
}

function stageOf(group: SlowGroup, isWide: boolean): Stage {
  const count = group.windows.length;
  const columns = group.cells.length;
  if (!isWide) {
    const step = Math.min(78, 322 / count);
    return {
      group,
      isWide,
      source: { x: 4, y: 18, pitch: Math.min(42, 332 / columns), height: 24 },
      windowAt: (w) => ({ x: 8, y: 58 + w * step, pitch: 58, height: (step - 8) / 2 }),
      end: 58 + count * step,
    };
  }
  const gap = 10;
  const pitch = Math.min(64, (690 - (count - 1) * gap) / (count * WINDOW));
  const width = count * WINDOW * pitch + (count - 1) * gap;
  const source = Math.min(52, 690 / columns);
  return {
    group,
    isWide,
    source: { x: GUTTER + (width - columns * source) / 2, y: 4, pitch: source, height: 28 },
    windowAt: (w) => ({ x: GUTTER + 4 + w * (WINDOW * pitch + gap), y: 96, pitch, height: 32 }),
    end: 176,
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
      unit: copies > once ? `numbers of x, was ${once}` : 'numbers of x',
    }),
  ];
  const links = stage.isWide ? numbers.slice(0, part.windows).flatMap((w) => copyLinks(stage, w)) : [];
  return drawingOf(layout, marks, links);
}

/** Left edge of a number of x. */
const sourceX = ({ source }: Stage, c: number): number => source.x + c * source.pitch;

function sourceMarks(stage: Stage): readonly DrawnMark[] {
  const { group, source, isWide } = stage;
  const { t } = group;
  const size = source.pitch > 36 ? 13 : 11;
  const scale = t.quantised ? `, 8 bits × ${t.quantised.scale.toPrecision(3)}` : '';
  const label = `${group.cells.length} of x`;
  return [
    words('label x', isWide ? { x: 0, y: source.y + 5 } : { x: 4, y: 0 }, isWide ? label : `${label}${scale}`, {
      size: 12,
      strong: true,
      tone: 'ink',
    }),
    ...(isWide && scale ? [words('scale of x', { x: 0, y: 24, w: GUTTER - 2 }, scale.slice(2), { size: 11 })] : []),
    ...group.cells.map(({ column }, c): DrawnMark => ({
      id: elementName('x', column),
      shape: 'frame',
      tone: 'ink',
      x: sourceX(stage, c),
      y: source.y,
      w: source.pitch - 5,
      h: source.height,
      size,
      text: xText(t.x[column]).length * size * 0.61 <= source.pitch - 5 ? xText(t.x[column]) : '',
      label: `x of column ${column}: ${valueText(t.x[column])}`,
      about: [elementName('x', column)],
    })),
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
          text: number.length * size * 0.61 <= width ? number : '',
          label: `x of column ${column}: ${number}${box ? '' : ', not used by this window'}`,
          about: [elementName('x', column)],
          from: elementName('x', column),
          ...(!box && { state: 'dim' as const }),
        }
      : { id: `${id} to come`, shape: 'box', tone: 'neutral', state: 'ghost', ...place };
    if (!box) return [copy];
    const name = elementName('values', box.index);
    const text = [12, 11, 10, 9].map((points) => [points, numberIn(box.value, width - 1, points, 4)] as const);
    const [points, said] = text.find(([, fits]) => fits.replace(/\D/g, '').length >= 5) ?? text[2];
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
        text: said,
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
    const where = isWide ? { x: middle, y: end + 8 } : { x: 336, y: at.y + at.height - 12 };
    const align = isWide ? 'middle' : 'end';
    const number = words(`sum ${w}`, where, valueText(sum), { align, face: 'mono', size: 14, tone: 'ink' });
    if (w === 0 || !isWide) return [number];
    return [words(`plus ${w}`, { x: at.x - 8, y: end + 8 }, '+', { align: 'middle', size: 14 }), number];
  });
  if (isWide) marks.unshift(words('label sums', { x: 0, y: end + 9 }, 'sums', { size: 12 }));
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
    words('total', { x: GUTTER + 300, y: end + 44 }, total, { face: 'mono', size: 18, strong: true, tone: 'ink' }),
  );
  marks.push(words('multiplies', { x: GUTTER, y: end + 48 }, unit, { size: 13, strong: true, tone: 'ink' }));
  marks.push(words('same', { x: GUTTER + 430, y: end + 48 }, same, { size: 13 }));
  return marks;
}
