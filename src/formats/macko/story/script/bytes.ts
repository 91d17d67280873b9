import { type DrawingLayout, NARROW, unitText, words } from '../../../../core/story/drawing.ts';
import { elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnMark, TextRun, Tone } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { shareText } from '../../../../core/story/rounded.ts';
import { bytesNumber, counted } from '../../../../core/story/words.ts';
import type { WindowFacts } from './facts.ts';
import { drawing, fitting, weightLook, type Parts } from '../../../../core/story/drawn-rows.ts';
import { byteParts, bytesCounter } from './rows.ts';

/* Pictures of all bytes, which lie in the place of dense's. */

/** How the cells of dense are covered by what is stored. */
interface Covering {
  /** bytes of a cell */
  readonly each: number;
  readonly dense: number;
  readonly stored: number;
  readonly columns: number;
}

const MAX_CELLS = 128;

function covering({ dense, total, valueBits }: WindowFacts, layout: DrawingLayout): Covering {
  let each = Math.max(1, valueBits / 8);
  while (Math.max(dense, total) / each > MAX_CELLS) each *= 2;
  return {
    each,
    dense: Math.ceil(dense / each),
    stored: Math.ceil(total / each),
    columns: layout === 'wide' ? 32 : 16,
  };
}

/** The list flows into the place of the matrix. Pictures: flowing, still, and with the words. */
export function bytesPicture(facts: WindowFacts, layout: DrawingLayout, picture: number): Drawing {
  const { dense, total, bytes } = facts;
  const cover = covering(facts, layout);
  const isWide = layout === 'wide';
  const [x, width] = isWide ? [92, 668] : [14, NARROW.width - 14];
  const cells = Math.max(cover.dense, cover.stored);
  const lines = Math.max(1, Math.ceil(cells / cover.columns));
  const pitch = Math.min(width / cover.columns, 40);
  const height = Math.min(42, (isWide ? 176 : 328) / lines);
  const at = (i: number): { x: number; y: number; w: number; h: number } => ({
    x: x + (i % cover.columns) * pitch,
    y: 6 + Math.floor(i / cover.columns) * height,
    w: pitch - 2,
    h: height - 2,
  });
  const marks: Parts = [];
  const gap = gapText(facts);
  const textAt = gapPlace(cover, lines, { x, pitch, height }, gap, isWide);
  for (let i = 0; i < cells; i++) {
    if (i < cover.stored) marks.push(storedCell(facts, cover, i, at(i)));
    else if (picture < 2 || !isBelowWords(at(i), textAt))
      marks.push({ id: `free ${i}`, shape: 'box', tone: 'neutral', state: 'ghost', ...at(i) });
  }
  const denseLines = Math.ceil(cover.dense / cover.columns);
  marks.push(denseBracket(facts, layout, x - 6, 6, Math.max(8, denseLines * height - 2)));
  const end = 6 + lines * height;
  const sums: TextRun[] = byteParts(bytes).flatMap(({ name, tone, value }, i): TextRun[] => [
    ...(i > 0 ? [{ text: ' + ' }] : []),
    { text: isWide ? `${name} ${bytesNumber(value)}` : bytesNumber(value), tone, strong: true },
  ]);
  if (picture > 1) {
    if (textAt) marks.push(gapWords(gap, textAt, isWide));
    marks.push(
      words(
        'sum of bytes',
        { x: isWide ? x : 0, y: end + (isWide ? 10 : 4), w: isWide ? 0 : NARROW.width },
        [...sums, { text: ` = ${bytesNumber(total)} bytes`, strong: true, tone: 'ink' }],
        { size: isWide ? 15 : 13 },
      ),
      words(
        'cell means',
        { x: isWide ? x : 0, y: end + (isWide ? 36 : 24), w: isWide ? 0 : NARROW.width },
        isWide
          ? cellMeans(cover, textAt ? '' : gap)
          : `the bracket: dense, ${bytesNumber(dense)} bytes${textAt ? '' : `; ${gap}`}`,
        { size: 12 },
      ),
    );
  }
  const note = `${shareText(dense > 0 ? total / dense : 0)} of dense`;
  marks.push(bytesCounter(layout, bytes, { title: 'all rows', dense, ...(dense > 0 && { note }) }));
  return drawing(layout, marks);
}

function gapText({ dense, total }: WindowFacts): string {
  if (total === dense) return 'as many bytes as dense';
  return total <= dense
    ? `${bytesNumber(dense - total)} bytes not read any more`
    : `${bytesNumber(total - dense)} bytes more than dense`;
}

function isBelowWords(
  { x, y, w }: { readonly x: number; readonly y: number; readonly w: number },
  place: GapPlace | null,
): boolean {
  return place !== null && y >= place.top && y < place.bottom && x + w > place.left && x < place.right;
}

function gapWords(text: string, { left, right, top, bottom }: GapPlace, isWide: boolean): DrawnMark {
  const rows = isWide ? 1 : 2;
  const y = (top + bottom) / 2 - (rows * GAP_LINE) / 2;
  return words('gap', { x: left, y, w: right - left }, text, { size: 16, strong: true, tone: 'ink', align: 'middle' });
}

/** Where the words stand among the free cells, and which lines of these give way. */
interface GapPlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Advance of a bold character of 16 points, at most. */
const GAP_ADVANCE = 8.8;
const GAP_LINE = 24;

/** Room for the words on the last lines, if enough of these is free: on one line, on a phone on two. */
function gapPlace(
  { dense, stored, columns }: Covering,
  lines: number,
  { x, pitch, height }: { readonly x: number; readonly pitch: number; readonly height: number },
  words: string,
  isWide: boolean,
): GapPlace | null {
  const rows = isWide ? 1 : 2;
  const width = (words.length * GAP_ADVANCE) / rows + (isWide ? 10 : 40);
  const line = isWide ? lines - 1 : lines - Math.floor((lines - Math.ceil(stored / columns)) / 2) - 1;
  const used = Math.ceil((rows * GAP_LINE) / height);
  const first = line - used + 1;
  if (Math.ceil(dense / columns) < lines || first * columns < stored - columns || first < 0) return null;
  const firstFree = Math.max(stored, first * columns);
  const lastFree = line === lines - 1 ? dense - 1 : (line + 1) * columns - 1;
  const isSplit = Math.floor(firstFree / columns) > first;
  const left = isSplit ? Number.POSITIVE_INFINITY : x + (firstFree % columns) * pitch;
  const right = x + ((lastFree % columns) + 1) * pitch;
  if (right - left < width) return null;
  const middle = (left + right) / 2;
  const top = 6 + first * height;
  return { left: middle - width / 2, right: middle + width / 2, top, bottom: top + used * height };
}

function denseBracket(
  { dense }: WindowFacts,
  layout: DrawingLayout,
  x: number,
  y: number,
  h: number,
): readonly DrawnMark[] {
  const line: DrawnMark = {
    id: 'dense bracket',
    shape: 'line',
    tone: 'ink',
    x: x - 6,
    y,
    w: 6,
    h,
    points: [
      [x, y],
      [x - 7, y],
      [x - 7, y + h],
      [x, y + h],
    ],
    thickness: 1.5,
    label: 'dense',
  };
  if (layout === 'narrow') return [line];
  return [
    line,
    words('dense title', { x: x - 14, y: y + h / 2 - 18 }, 'dense:', { align: 'end', size: 12 }),
    words('dense bytes', { x: x - 12, y: y + h / 2 - 2 }, `${bytesNumber(dense)} bytes`, {
      align: 'end',
      size: 10.5,
      strong: true,
      tone: 'ink',
    }),
  ];
}

/** A cell of stored bytes: a weight where a cell holds one, else of the kind of its first byte. */
function storedCell(
  facts: WindowFacts,
  { each }: Covering,
  i: number,
  at: { x: number; y: number; w: number; h: number },
): DrawnMark {
  const { bytes, valueBits, unit } = facts;
  const byte = i * each;
  const isOne = each === valueBits / 8;
  let end = 0;
  let tone: Tone = 'metadata';
  let name = '';
  for (const part of byteParts(bytes)) {
    end += part.value;
    if (byte < end) {
      ({ tone, name } = part);
      break;
    }
  }
  const weight = isOne && tone === 'values' ? facts.weights[i] : undefined;
  if (!weight)
    return {
      id: `stored ${name} ${i}`,
      shape: 'box',
      tone,
      level: 1,
      ...at,
      label: `${counted(each, 'byte')} of the ${name}`,
    };
  const text = unitText(weight.value, unit);
  const size = Math.min(11, fitting(at.w, text.length));
  const look = weightLook(facts, weight, null);
  return {
    id: elementName('values', weight.entry),
    shape: 'box',
    ...look,
    tone: 'values',
    ...at,
    ...(size >= 6.5 && { text, size }),
  };
}

/** `more`: where the free cells leave no room for words, how many bytes they are. */
function cellMeans({ each }: Covering, more: string): string {
  const size = numberText({ value: each, rounding: 'word' });
  return `One cell is ${size} ${each === 1 ? 'byte' : 'bytes'}${more === '' ? '' : `; ${more}`}.`;
}
