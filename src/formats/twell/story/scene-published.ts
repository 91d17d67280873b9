import { box, bracket } from '../../../core/story/marks.ts';
import type { Link, Mark } from '../../../core/story/scene.ts';
import { slotsOf } from '../params.ts';
import {
  type BeyondSlots,
  COUNT_WORD,
  lossOf,
  PADDING_WORDS,
  readWords,
  storedWords,
  UNUSED_WORD,
} from '../published.ts';
import { activationsPanel, type Picture } from './scene-activations.ts';
import type { TwellTrace } from './trace.ts';

/** Lines of the panel. */
const LINE = { cells: 0, words: 2, parts: 3, read: 5 } as const;
/** Height of a measure below words, which may be smaller than its name. */
const MEASURE = 1.5;

/** Chapter 4: the words that the published kernel stores of the hot tile row, and what its reader reads from them. */
export function publishedScene(t: TwellTrace, beyond: BeyondSlots): Picture {
  const { hot, params, window } = t;
  const slots = slotsOf(params);
  const count = hot.columns.length;
  const words = storedWords(count, slots, beyond);
  const read = readWords(words, count, slots);
  // The last tile may be narrower, but not than what was invented.
  const last = hot.columns[count - 1];
  const width = Math.max(last + 1, Math.min(params.tileWidth, window.cols - hot.tile * params.tileWidth));
  const marks = [
    ...emptyMarks(t, width),
    ...cellMarks(t, new Set(lossOf(read).lost)),
    ...wordMarks(t, words),
    ...partMarks(words.length, slots),
    ...readMarks(t, read),
  ];
  // A link for one that wraps around would cross the whole panel.
  const links: Link[] =
    beyond === 'wraps'
      ? []
      : [{ id: 'published', from: `hot ${last}`, to: `word ${count}`, kind: 'curve', tone: 'neutral' }];
  const hasCells = window.rows > 0 && t.encoded.tiles > 0;
  return {
    panels: [
      ...(hasCells ? [activationsPanel(t, { row: hot.row, tile: hot.tile })] : []),
      {
        id: 'hot',
        title: 'in the published kernel',
        caption: 'words in workgroup memory, and what is read',
        unit: 'cell',
        columns: Math.max(width, words.length, count + 1),
        rows: LINE.read + 1,
        rowLabels: [
          { at: LINE.cells, text: 'h' },
          { at: LINE.words, text: 'words' },
          { at: LINE.read, text: 'read' },
        ],
        marks,
      },
    ],
    links,
  };
}

/** Column of a non-zero by its number, counted from the start of the row. */
function columnOf({ hot, params }: TwellTrace, number: number): number {
  return hot.tile * params.tileWidth + hot.columns[number - 1];
}

/** The empty cells of the tile row. */
function emptyMarks({ hot, params }: TwellTrace, width: number): readonly Mark[] {
  const taken = new Set(hot.columns);
  return Array.from({ length: width }, (_, c) => c)
    .filter((c) => !taken.has(c))
    .map((c) => box(`empty ${c}`, c, LINE.cells, { level: 0, label: `column ${hot.tile * params.tileWidth + c}: 0` }));
}

/** The non-zeros of the tile row; outlined if they are lost. */
function cellMarks(t: TwellTrace, lost: ReadonlySet<number>): readonly Mark[] {
  return t.hot.columns.map((c, i): Mark => {
    const isLost = lost.has(i + 1);
    return box(`hot ${c}`, c, LINE.cells, {
      tone: 'values',
      level: 1,
      text: String(columnOf(t, i + 1)),
      label: `column ${columnOf(t, i + 1)}${isLost ? ': lost' : ''}`,
      ...(isLost ? { focus: true } : {}),
    });
  });
}

/** Word by word; dashed if they are not written to memory, outlined if one overwrites another. */
function wordMarks(t: TwellTrace, words: Int32Array): readonly Mark[] {
  const slots = slotsOf(t.params);
  const rowBelow = slots + PADDING_WORDS;
  return Array.from(words, (number, at): Mark => {
    const base = box(`word ${at}`, at, LINE.words);
    if (number === COUNT_WORD) {
      const count = t.hot.columns.length;
      return { ...base, tone: 'metadata', level: 1, text: String(count), label: `word 0: count ${count}` };
    }
    const isOutside = at >= slots && at < rowBelow;
    const where =
      at < slots ? `word ${at}` : isOutside ? `word ${at}, padding` : `word ${at - rowBelow} of the row below`;
    if (number === UNUSED_WORD) {
      return isOutside
        ? { ...base, tone: 'neutral', state: 'ghost', label: `${where}: unused` }
        : { ...base, tone: 'padding', label: `${where}: unused` };
    }
    const column = columnOf(t, number);
    const stored = { text: String(column), from: `hot ${t.hot.columns[number - 1]}` };
    if (isOutside)
      return { ...base, ...stored, tone: 'neutral', state: 'ghost', label: `${where}: column ${column}, not written` };
    const isSecond = number !== at;
    const over = at >= rowBelow ? (at === rowBelow ? ', over its count' : '') : isSecond ? ', over another' : '';
    return {
      ...base,
      ...stored,
      tone: 'values',
      level: 1,
      label: `${where}: column ${column}${over}`,
      ...(at >= rowBelow || isSecond ? { focus: true } : {}),
    };
  });
}

/** The meaning of the words, below them. */
function partMarks(length: number, slots: number): readonly Mark[] {
  const rowBelow = slots + PADDING_WORDS;
  const part = (id: string, x: number, w: number): Mark =>
    bracket(`part ${id}`, x, LINE.parts, w, id, { h: MEASURE, label: id });
  return [
    part('row', 0, slots),
    part('padding', slots, PADDING_WORDS),
    ...(length > rowBelow ? [part('row below', rowBelow, length - rowBelow)] : []),
  ];
}

/** What the reader reads as the first, the second ... non-zero; outlined if it is the count, or was read before. */
function readMarks(t: TwellTrace, read: Int32Array): readonly Mark[] {
  const seen = new Set<number>();
  return Array.from(read, (number, i): Mark => {
    const base = box(`read ${i + 1}`, i + 1, LINE.read);
    const where = `non-zero ${i + 1} as it is read`;
    if (number === COUNT_WORD)
      return {
        ...base,
        tone: 'metadata',
        level: 1,
        focus: true,
        text: String(read.length),
        label: `${where}: the count, with value 0`,
      };
    const isAgain = seen.has(number);
    seen.add(number);
    const column = columnOf(t, number);
    return {
      ...base,
      tone: 'values',
      level: 1,
      text: String(column),
      label: `${where}: column ${column}${isAgain ? ', again' : ''}`,
      ...(isAgain ? { focus: true } : {}),
    };
  });
}
