import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { counter, type CounterPart, GUTTER, words } from '../../../core/story/drawing.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { cellName, elementName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import type { Drawing, DrawnMark } from '../../../core/story/scene.ts';
import { counted, countText, valueText } from '../../../core/story/words.ts';
import { keptColumn, keptValue, usedWindows, windowsPerRowOf } from '../layout.ts';
import { KEPT, type SlideSparseParams, windowsPerGroup } from '../params.ts';
import { PLACE_BYTES, weightBytes } from './script-group.ts';
import { drawingOf } from './script-parts.ts';
import type { SlideSparseTrace } from './trace.ts';

/** The row of the group that was seen slowly, all of its groups at once. */

/** What a row stores, in bytes. */
export interface RowBytes {
  readonly groups: number;
  /** of them in the cut */
  readonly shown: number;
  readonly windows: number;
  /** windows that only fill the row up to whole words of places */
  readonly filling: number;
  readonly weights: number;
  readonly places: number;
  /** boxes without a weight, with their places */
  readonly empty: number;
  /** of 8-bit weights */
  readonly scale: number;
  readonly all: number;
  readonly dense: number;
}

/** Whether every row of the matrix is as full as its windows, and stored with the parameters of the story. */
function isFull(whole: StoredWhole, params: SlideSparseParams): boolean {
  const own = whole.params as Partial<SlideSparseParams>;
  const isSame = own.halfGroup === params.halfGroup && own.valueType === params.valueType;
  return isSame && whole.ledger.totalBits.padding === 0;
}

/** Bytes of so many windows, of which so many boxes hold a weight. */
function boxBytes(t: SlideSparseTrace, windows: number, held: number) {
  const weights = held * weightBytes(t);
  const places = held * PLACE_BYTES;
  const all = windows * KEPT * (weightBytes(t) + PLACE_BYTES);
  return { weights, places, empty: all - weights - places };
}

/** Weights of groups of the row that stay. */
const heldBy = (t: SlideSparseTrace, row: number, isOne: (group: number) => boolean): number =>
  t.groups
    .filter((group) => group.row === row && isOne(group.group))
    .reduce((sum, { windowOf }) => sum + windowOf.filter((by) => by >= 0).length, 0);

/** The row in the whole matrix where that is known and has no empty boxes, else in the cut. */
export function rowBytes(t: SlideSparseTrace, row: number, { whole }: Pick<FrameContext, 'whole'>): RowBytes {
  const { params, window: cut } = t;
  const width = 2 * params.halfGroup;
  const isWhole = whole !== null && whole.cols > cut.cols && isFull(whole, params);
  const cols = isWhole ? whole.cols : cut.cols;
  const windows = windowsPerRowOf(cols, params);
  const bytes = boxBytes(t, windows, isWhole ? windows * KEPT : heldBy(t, row, () => true));
  const scale = params.valueType === 'i8' ? 4 : 0;
  return {
    ...bytes,
    groups: Math.ceil(cols / width),
    shown: Math.ceil(cut.cols / width),
    windows,
    filling: windows - usedWindows(cols, params),
    scale,
    all: bytes.weights + bytes.places + bytes.empty + scale,
    dense: cols * weightBytes(t),
  };
}

/** What is stored once these groups of the cut are, and with the last of them the rest of the row. */
function soFar(t: SlideSparseTrace, row: number, bytes: RowBytes, done: ReadonlySet<number>): RowBytes {
  const { groups, shown } = bytes;
  if (done.size >= shown) return bytes;
  // Groups outside of the cut are counted along with those that are drawn.
  const count = groups === shown ? done.size : Math.round(1 + ((done.size - 1) * (groups - 1)) / (shown - 1));
  const windows = count * windowsPerGroup(t.params);
  const held = groups === shown ? heldBy(t, row, (group) => done.has(group)) : windows * KEPT;
  const { weights, places, empty } = boxBytes(t, windows, held);
  return { ...bytes, weights, places, empty, scale: 0, all: weights + places + empty };
}

/** How many groups of the cut the row has: a picture for each that is stored. */
export const groupsOfRow = ({ window, params }: SlideSparseTrace): number =>
  Math.ceil(window.cols / (2 * params.halfGroup));

interface RowShown {
  readonly row: number;
  /** the group that was seen slowly, by its number in the row */
  readonly slow: number;
  /** groups that are stored, that one first */
  readonly done: number;
}

/** Weights above, what is stored of them below. */
export function rowPicture(t: SlideSparseTrace, context: FrameContext, shown: RowShown): Drawing {
  const isWide = context.layout === 'wide';
  const bytes = rowBytes(t, shown.row, context);
  const groups = groupsOfRow(t);
  const others = Array.from({ length: groups }, (_, g) => g).filter((g) => g !== shown.slow);
  const stored = new Set([shown.slow, ...others.slice(0, shown.done - 1)]);
  const perLine = isWide ? groups : Math.ceil(groups / 4);
  const width = 2 * t.params.halfGroup;
  const left = isWide ? GUTTER : 4;
  const pitch = Math.min(24, ((isWide ? 692 : 332) - (perLine - 1) * GROUP_GAP) / (perLine * width));
  const place = (g: number): Place => ({
    x: left + (g % perLine) * (width * pitch + GROUP_GAP),
    y: isWide ? 32 : 26 + Math.floor(g / perLine) * 68,
    pitch,
    isWide,
  });
  const levelOf = magnitudeLevels(t.window);
  const marks: DrawnMark[] = Array.from({ length: groups }, (_, g) =>
    groupMarks(t, shown.row, g, { at: place(g), isStored: stored.has(g), levelOf }),
  ).flat();
  const slow = place(shown.slow);
  marks.push({
    id: 'slow group',
    shape: 'frame',
    tone: 'format',
    x: slow.x - 3,
    y: slow.y - 3,
    w: width * pitch + 5,
    h: storedY(slow) + STORED[context.layout] - slow.y + 6,
    label: 'the group seen slowly',
  });
  if (isWide) {
    marks.push(words('label weights', { x: 0, y: 44 }, 'weights', { size: 12 }));
    marks.push(words('label stored', { x: 0, y: 122 }, 'stored', { size: 12 }));
  }
  return drawingOf(context.layout, [
    ...marks,
    ...rowWords(t, bytes, context),
    ...rowCounter(soFar(t, shown.row, bytes, stored), context),
  ]);
}

/** Between groups, so that they can be told apart. */
const GROUP_GAP = 6;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly pitch: number;
  readonly isWide: boolean;
}

interface GroupLook {
  readonly at: Place;
  readonly isStored: boolean;
  readonly levelOf: (value: number) => number;
}

const CELL = { wide: 40, narrow: 22 } as const;
const STORED = { wide: 46, narrow: 30 } as const;
const storedY = ({ y, isWide }: Place): number => y + (isWide ? 76 : 28);

function groupMarks(
  t: SlideSparseTrace,
  row: number,
  g: number,
  { at, isStored, levelOf }: GroupLook,
): readonly DrawnMark[] {
  const layout = at.isWide ? 'wide' : 'narrow';
  const { params, encoded, window: cut } = t;
  const width = 2 * params.halfGroup;
  const first = g * width;
  const found = t.groups.find((group) => group.row === row && group.group === g);
  const takerOf = (column: number): number => found?.windowOf[found.columns.indexOf(column - first)] ?? -1;
  const marks: DrawnMark[] = [];
  for (let c = first; c < Math.min(first + width, cut.cols); c++) {
    const isZero = takerOf(c) < 0;
    const value = isZero ? 0 : t.cells[row * cut.cols + c];
    marks.push({
      id: cellName(row, c),
      shape: 'box',
      tone: isZero ? 'neutral' : 'values',
      level: isZero ? 0 : levelOf(value),
      x: at.x + (c - first) * at.pitch,
      y: at.y,
      w: at.pitch - 1,
      h: CELL[layout],
      label: `row ${row}, column ${c}: ${valueText(value)}`,
      about: [cellName(row, c)],
    });
  }
  const perGroup = windowsPerGroup(params);
  const wide = (width * at.pitch) / perGroup;
  const box = (wide - 4) / KEPT;
  const y = storedY(at);
  const height = STORED[layout];
  for (let w = 0; w < perGroup; w++) {
    const window = g * perGroup + w;
    for (let k = 0; k < KEPT; k++) {
      const name = elementName('values', (row * encoded.windowsPerRow + window) * KEPT + k);
      const column = keptColumn(encoded, row, window, k);
      const isEmpty = takerOf(column) !== w;
      const rect = { x: at.x + w * wide + k * box, y, w: box - 1, h: height * 0.64 };
      const below = { ...rect, y: y + height * 0.68, h: height * 0.32 };
      if (!isStored) {
        marks.push({ id: `room ${name}`, shape: 'box', tone: 'neutral', state: 'ghost', ...rect, h: height });
        continue;
      }
      const value = valueText(keptValue(encoded, row, window, k));
      const about = isEmpty ? [name] : [name, cellName(row, column)];
      const label = isEmpty ? 'an empty box: a zero is stored' : `stored: ${value}`;
      const from = isEmpty ? {} : { from: cellName(row, column) };
      const tone = isEmpty ? 'padding' : 'values';
      marks.push({ id: name, shape: 'box', tone, level: isEmpty ? 0 : 1, ...rect, label, about, ...from });
      const placeTone = isEmpty ? 'padding' : 'indices';
      const place = `place ${column - first - 2 * w} in its window`;
      marks.push({
        id: `place of ${name}`,
        shape: 'box',
        tone: placeTone,
        level: isEmpty ? 0 : 1,
        ...below,
        label: place,
        about,
      });
    }
  }
  return marks;
}

function rowWords(t: SlideSparseTrace, bytes: RowBytes, { layout }: FrameContext): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const { groups, shown, windows, filling, weights, places, empty, scale } = bytes;
  const caption =
    groups > shown
      ? `${shown} of ${groups} groups; ${groups - shown} more like them`
      : groups === 1
        ? 'the only group'
        : `the ${groups} groups`;
  const each = `${counted(windows, 'window')}, ${KEPT} ${empty > 0 ? 'boxes' : 'weights'} each:`;
  const boxes = windows * KEPT;
  const of = empty > 0 ? 'boxes' : 'weights';
  const wide = weightBytes(t) === 1 ? '1 byte' : `${weightBytes(t)} bytes`;
  const parts = [weights, places, ...(empty > 0 ? [empty] : []), ...(scale > 0 ? [scale] : [])];
  const sum = empty > 0 || scale > 0 ? '' : ` = ${parts.map((part) => countText(part)).join(' + ')}`;
  const scaled = scale > 0 ? ` + ${scale} bytes of scale` : '';
  const formula = `${boxes} ${of} × ${wide} + ${boxes} places × ¼ byte${scaled}${sum}.`;
  const filled =
    filling > 0
      ? ` ${counted(filling, 'empty window')} ${filling === 1 ? 'fills' : 'fill'} the row up to ${windows}.`
      : '';
  const [x, y] = isWide ? [GUTTER, 184] : [4, 306];
  return [
    words('caption', { x, y: 0 }, caption, { size: 12 }),
    words(
      'sum',
      { x, y, w: isWide ? 690 : 332 },
      [{ text: `${each} `, strong: true, tone: 'ink' }, { text: formula }],
      {
        tone: 'ink',
        size: 14,
      },
    ),
    words(
      'framed',
      { x, y: isWide ? y + 44 : y + 62, w: isWide ? 690 : 332 },
      `Framed: the group seen slowly.${filled}`,
    ),
  ];
}

/** Bytes of the row so far. */
function rowCounter(
  { groups, weights, places, empty, scale, all, dense }: RowBytes,
  { layout }: FrameContext,
): readonly DrawnMark[] {
  const part = (tone: CounterPart['tone'], value: number, name: string): CounterPart => ({
    tone,
    value,
    label: `${name} ${value}`,
  });
  return counter(layout, {
    title: 'bytes',
    parts: [
      part('values', weights, 'weights'),
      part('indices', places, 'their places'),
      ...(empty > 0 ? [part('padding', empty, 'empty')] : []),
      ...(scale > 0 ? [part('metadata', scale, 'scale')] : []),
    ],
    of: dense,
    number: Number.isInteger(all) ? countText(all) : String(all),
    unit: `of ${countText(dense)} bytes`,
    note: `dense: ${countText(dense)}, for ${groups === 1 ? 'the only group' : `the ${groups} groups`}`,
  });
}
