import { stepEncoded, stepStoring, stepSumming } from '../../../story/declared/trace.ts';
import { sumTexts, unitWords } from '../../../story/cell-unit.ts';
import { type Bar, bars } from '../../../story/flow/bars.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { arrayRow, type CellRow, cells } from '../../../story/flow/cells.ts';
import { tightStack, fitting, ink, legend, note, row, since, stack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { counterBar } from '../../../story/flow/counter-bar.ts';
import { questionFrame, sayingAbsent, storyFrame, type StoryFrame } from '../../../story/flow/story-frames.ts';
import { verdict } from '../../../story/flow/verdict.ts';
import { type FrameContext, wholeFact } from '../../../story/frames.ts';
import { cellName, elementName, pageStart } from '../../../story/scene-parts.ts';
import type { TextRun } from '../../../story/scene.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { bytesNumber, counted, countText, xText } from '../../../core/text/words.ts';
import { GROUP } from '../layout.ts';
import { published } from '../published.ts';
import { type Entry, type Lane, type MackoTrace, type Weight, windowFacts, type WindowFacts } from './facts.ts';
import {
  entryName,
  weightCell,
  weightWords,
  zeroName,
  windowRow,
  skipSpan,
  rowsOfOnePitch,
  above,
  aboveLow,
  costText,
  rowsText,
  allBytes,
  bytesByColumn,
  COLUMN_BITS,
  rowBytes,
  entriesOf,
  columnText,
} from './shared-parts.ts';

/*
 * MACKO in at most nine frames, pictures with a short text each, and two questions; without weights in three frames. Most
 * weights are zero, column numbers of the others cost as much as their values, skips cost less, one skip is too long,
 * all rows make one list, lanes find their columns, and what MACKO is worth. A picture about a row has the row at its top
 * and, until it is multiplied, space for its bytes at the bottom. `lead` is the row whose first weights are stored
 * `oneByOne`.
 */

/** The cells of more rows than this have no texts. */
const MAX_ROWS_WITH_TEXT = 7;
/** A row of fewer entries is too narrow for its name above them. */
const MIN_ENTRIES_FOR_NAME = 4;

/** The frames of MACKO’s story on a window, a part of a matrix. */
export function story(t: MackoTrace): readonly StoryFrame[] {
  const f = windowFacts(t);
  const { lead, lanes } = f;
  if (!lead || !lanes) return [zeros(f), emptyList(f), verdictFrame(f)];
  const [first] = lead.oneByOne;
  const editedTooLong = f.editedRow === null ? null : f.tooLong;
  const frames = [
    zeros(f),
    columnNumbers(f, lead.row),
    skips(f, lead.row),
    // If the first skip of an edited row is too long, a skip with its stored zeros comes first, instead of a weight.
    ...(first ? [oneWeight(f, first)] : editedTooLong ? [{ ...tooFar(f, editedTooLong), ...FIRST }] : []),
    // One weight alone is read back only in an edited row.
    ...(first && (lead.oneByOne.length > 1 || f.editedRow !== null) ? [readBack(f, lead.oneByOne)] : []),
    longestSkip(f),
    f.tooLong ? tooFar(f, f.tooLong) : noneTooFar(f, f.longest ?? f.weights[0]),
    oneList(f),
    ...(drawnLanes(f).length > 1 ? [laneStarts(f, lanes.row)] : []),
    columnsOfLanes(f, lanes.row),
    verdictFrame(f),
  ];
  const question = { what: 'The question where a worker begins', needs: 'a row that more than one worker reads' };
  return sayingAbsent(frames, [drawnLanes(f).length > 1 ? null : question]);
}

/* 1. The problem. */

const ROWS_SHOWN = 12;

function zeros(f: WindowFacts): StoryFrame {
  const { rows, cols } = f.t.window;
  const all = rows * cols;
  const zeroCount = all - f.weights.length;
  const frame = { id: 'zeros', chapter: 'Why', moves: [0], text: zerosText(f) };
  if (all === 0)
    return storyFrame({ ...frame, body: note('nothing', `${rows} \u00d7 ${cols}: this region has no cells.`) });
  const first = f.lead?.row ?? 0;
  const top = pageStart(rows, first, ROWS_SHOWN);
  const numbers = Array.from({ length: Math.min(rows, ROWS_SHOWN) }, (_, i) => top + i);
  const rowOf = (r: number): CellRow => {
    return { ...windowRow(f, r, { lit: f.ofRow[r] }), strong: false, tone: 'neutral' };
  };
  const otherRows = numbers.filter((r) => r !== first).map(rowOf);
  const rowsPart = (rows: readonly CellRow[], isFirst: boolean): Part =>
    rowsOfOnePitch(f, rows, numbers, otherRows.length > MAX_ROWS_WITH_TEXT, isFirst);
  const unitMeaning = unitWords(
    f.weights.map(({ value }) => value),
    f.unit,
  );
  const cellText = `${all === 1 ? 'This cell' : `Each of these ${countText(all)} cells`} takes ${f.valueBits < 8 ? 'half a byte' : counted(f.valueBits / 8, 'byte')}`;
  return storyFrame({
    ...frame,
    isJoined: true,
    above: rowsPart([windowRow(f, first, { lit: f.ofRow[first] })], true),
    body: stack(
      tightStack(
        otherRows.length > 0 ? rowsPart(otherRows, false) : null,
        f.weights.length > 0
          ? legend('weights', ['values', unitMeaning === '' ? 'weight' : `weight, ${unitMeaning}`])
          : null,
      ),
      rows > numbers.length ? note('cut', `${numbers.length} of ${rows} rows are shown.`) : null,
      note('goal', 'Pruning sets small weights to zero, but a GPU still takes time to fetch them.'),
    ),
    below: counterBar({
      title: rowsText(f),
      parts: [
        { tone: 'values', bytes: (f.weights.length * f.valueBits) / 8, name: 'weights' },
        { tone: 'padding', bytes: (zeroCount * f.valueBits) / 8, name: 'zeros' },
      ],
      dense: f.dense,
      text: zeroCount > 0 ? `${cellText}, even a zero.` : `${cellText}.`,
    }),
  });
}

function zerosText({ weights, valueBits, t }: WindowFacts): Stated {
  const all = t.window.rows * t.window.cols;
  const zeroCount = all - weights.length;
  if (all === 0) return stated`This region has no cells: there is nothing to store.`;
  if (weights.length === 0)
    return stated`All weights here are zero: only where each row begins is stored${valueBits < 16 ? ', and its scale' : ''}.`;
  if (zeroCount === 0) return stated`No weight here is zero, so storing their positions cannot pay off.`;
  const many = 2 * zeroCount > all ? 'Most' : 2 * zeroCount === all ? 'Half the' : 'Some';
  return stated`${many} weights here are zero, but dense storage keeps them all.`;
}

/* 2. The obvious way costs too much. */

function columnNumbers(f: WindowFacts, r: number): StoryFrame {
  const rowWeights = f.ofRow[r];
  const bytes = (rowWeights.length * (f.valueBits + COLUMN_BITS)) / 8;
  const share = fact('share of column numbers', COLUMN_BITS / (COLUMN_BITS + f.valueBits), 'share');
  const bits = (each: number): string => `${counted(each, 'bit')} each`;
  const column = (i: number): Cell => {
    return {
      text: String(f.columnNumber(rowWeights[i].column)),
      style: 'lit',
      from: cellName(r, rowWeights[i].column),
    };
  };
  return storyFrame({
    id: 'column numbers',
    chapter: 'Why',
    moves: [900],
    text: stated`The obvious way stores column numbers. Then *${share} of the bytes* only say where.`,
    above: above(f, r, { lit: rowWeights }),
    body: cells({ count: rowWeights.length, ...ARRAY, widest: f.texts }, [
      { ...weightsRow(f, rowWeights), after: bits(f.valueBits) },
      { ...arrayRow('column', 'columns', 'indices', column), after: bits(COLUMN_BITS) },
    ]),
    below: bytesByColumn(f, r, `${rowWeights.length} \u00d7 (${f.valueBits} + ${COLUMN_BITS}) bits = ${bytes} bytes.`),
  });
}

const ARRAY = { max: 3.6, hasWideGaps: true, grows: true } as const;

/** The weights of a row, without empty cells. */
function weightsRow(f: WindowFacts, rowWeights: readonly Weight[]): CellRow {
  const cell = (i: number): Cell => {
    return {
      ...weightCell(f, rowWeights[i]),
      id: `kept ${i}`,
      from: cellName(rowWeights[i].row, rowWeights[i].column),
    };
  };
  return arrayRow('kept', 'weights', 'values', cell);
}

/* 3. The idea. */

function skips(f: WindowFacts, r: number): StoryFrame {
  const rowWeights = f.ofRow[r];
  const spans = rowWeights.flatMap((weight, i) => skipSpan(`skip ${i}`, weight, String(weight.skip)));
  const after = f.t.window.cols - 1 - rowWeights[rowWeights.length - 1].column;
  const firstColumn = f.columnNumber(0);
  return storyFrame({
    id: 'skips',
    chapter: 'Skip',
    moves: [900, 900],
    text: stated`Store the *skip* instead: how many empty columns come before each weight.`,
    above: above(f, r, { spans }),
    body: stack(
      cells({ count: rowWeights.length, ...ARRAY, widest: f.texts }, [
        weightsRow(f, rowWeights),
        arrayRow('skipped', 'skips', 'indices', (i) => {
          return { text: String(rowWeights[i].skip), style: 'lit', from: `skip ${i} words` };
        }),
      ]),
      since(
        1,
        tightStack(
          firstColumn > 0
            ? note(
                'first skip',
                `The first skip counts from column ${firstColumn}, where the drawn part of the row begins.`,
              )
            : null,
          note('skips are', skipsText(f, r)),
          after > 0 ? note('after the last', 'Nothing is stored for the columns after the last weight.') : null,
        ),
      ),
    ),
  });
}

function skipsText({ weights, maxSkip, skipBits, ofRow }: WindowFacts, r: number): string {
  const small = weights.filter(({ skip }) => skip <= maxSkip).length;
  const rowWeights = ofRow[r];
  const longSkips = rowWeights.filter(({ skip }) => skip > maxSkip);
  if (small === weights.length)
    return rowWeights.length === 1
      ? 'This is a small number, so a few bits are enough.'
      : 'These are small numbers, so a few bits are enough.';
  if (2 * small <= weights.length) return `Here skips are often too long for ${counted(skipBits, 'bit')}.`;
  const most = rowWeights.length === 1 || 2 * longSkips.length >= rowWeights.length ? 'Most skips here' : 'Most';
  return longSkips.length === 1 && most === 'Most'
    ? `Most are small numbers, so a few bits are enough, but one is ${longSkips[0].skip}.`
    : `${most} are small numbers, so a few bits are enough.`;
}

/** The cell of an entry: a weight, or a stored zero. */
function entryCell(f: WindowFacts, entry: Entry, style: Cell['style'], from?: string): Cell {
  const zero: Cell = { text: '0', tone: 'padding', highlightNames: [entryName(entry)], label: 'a stored zero' };
  const cell = entry.isZero ? zero : weightCell(f, entry, style);
  return { ...cell, id: elementName('values', entry.index), ...(from !== undefined && { from }) };
}

const skipCell = (entry: Entry, style: Cell['style'] = 'plain'): Cell => {
  return {
    id: elementName('deltas', entry.index),
    text: String(entry.stored),
    style,
    highlightNames: [entryName(entry)],
  };
};

/** The entries of a row: the `lit` entries up to `last` are lit; those after `end` are not stored yet. */
function storedList(f: WindowFacts, r: number, last: Entry, lit: number, end = last): Part {
  const entries = entriesOf(f, r);
  const isLit = ({ index }: Entry): boolean => index > last.index - lit && index <= last.index;
  const style = (entry: Entry): Cell['style'] => (isLit(entry) ? 'lit' : 'plain');
  const storedSoFar = (cell: (entry: Entry) => Cell) => (i: number) =>
    entries[i].index <= end.index ? cell(entries[i]) : null;
  const value = (entry: Entry): Cell => {
    const origin = entry.isZero ? zeroName(r, entry.column) : cellName(r, entry.column);
    return { ...entryCell(f, entry, style(entry), origin), ring: entry.isZero && isLit(entry) };
  };
  const bits = (entry: Entry): Cell => {
    return { text: entry.stored.toString(2).padStart(f.skipBits, '0'), highlightNames: [entryName(entry)] };
  };
  return cells({ count: entries.length, ...ARRAY, widest: f.texts, focus: entries.indexOf(last) }, [
    arrayRow('values', 'weights', 'values', storedSoFar(value)),
    arrayRow(
      'deltas',
      'skips',
      'indices',
      storedSoFar((entry) => skipCell(entry, style(entry))),
    ),
    arrayRow('bits', `in ${counted(f.skipBits, 'bit')}`, 'indices', storedSoFar(bits)),
  ]);
}

/** The last entry of a row that has weights. */
const endOf = (f: WindowFacts, r: number): Entry => {
  const entries = entriesOf(f, r);
  return entries[entries.length - 1];
};

const storingStep = (f: WindowFacts, { index }: Entry): number => stepStoring(f.t, 'values', index);

/* 4. One weight, slowly. */

const FIRST = { id: 'first weight', chapter: 'Store' } as const;

function oneWeight(f: WindowFacts, weight: Weight): StoryFrame {
  const { row: r, column, skip, index } = weight;
  const text = weightWords(weight, f);
  const [skipFact, columnFact] = [
    fact('bits of a skip', f.skipBits, 'count', ['bit', 'bits']),
    fact('bits of a column number', COLUMN_BITS),
  ];
  const spans = skipSpan('skip 0', weight, counted(skip, 'empty column'));
  return storyFrame({
    ...FIRST,
    step: storingStep(f, weight),
    moves: [900],
    text: stated`Store ${text ?? 'a weight'} and its skip ${fact('skip', skip)}. *The skip takes ${skipFact}* instead of ${columnFact}.`,
    above: above(f, r, { lit: [weight], spans }),
    body: storedList(f, r, weight, 1),
    below: rowBytes(f, r, weight, bitsText(f, 1)),
    arrows: [{ from: cellName(r, column), to: elementName('values', index), tone: 'values' }],
  });
}

/* 5. Reading back: the rule that computes the columns. */

/** '1 + 1 + 0 = column 2': the column before, the column of the weight itself, and the skip of an entry. */
function columnSum(f: WindowFacts, { stored, column }: Entry): readonly TextRun[] {
  return [
    { text: `${xText(f.columnNumber(column - stored - 1))} + 1 + `, tone: 'ink' },
    { text: String(stored), tone: 'indices', strong: true },
    ink(` = column ${f.columnNumber(column)}`),
  ];
}

function readBack(f: WindowFacts, oneByOne: readonly Weight[]): StoryFrame {
  const last = oneByOne[oneByOne.length - 1];
  const { row: r } = last;
  const first = f.columnNumber(0);
  const wholeRowText = 'A whole row counts from \u22121: its first column is 0.';
  const start =
    first > 0 ? `${wholeRowText} This part begins with column ${first}, so it counts from ${first - 1}.` : wholeRowText;
  return storyFrame({
    id: 'next weights',
    chapter: 'Store',
    step: storingStep(f, last),
    moves: [700, ...oneByOne.map(() => 900)],
    text: stated`To read it back, add *${fact('column of the weight itself', 1)} + skip* to the column of the weight before.`,
    above: above(f, r, { lit: oneByOne }),
    body: stack(
      storedList(f, r, last, oneByOne.length),
      tightStack(
        since(1, note('start', start)),
        oneByOne.map((weight, i) => since(i + 1, note(`sum ${i}`, columnSum(f, weight)))),
      ),
    ),
    below: rowBytes(f, r, last, bitsText(f, oneByOne.length)),
  });
}

/** '3 × (16 + 4) bits = 7.5 bytes.' */
function bitsText({ valueBits, skipBits }: WindowFacts, entries: number): string {
  const bytes = (entries * (valueBits + skipBits)) / 8;
  const each = `${valueBits} + ${skipBits}`;
  return `${entries === 1 ? each : `${entries} \u00d7 (${each})`} bits = ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}.`;
}

/* Question: the longest skip. The numbers that fewer bits write are shown. */

function longestSkip(f: WindowFacts): StoryFrame {
  const { skipBits, maxSkip } = f;
  const options = [...new Set([2 ** (skipBits - 1), maxSkip, maxSkip + 1, 2 * maxSkip + 1])];
  const fewestBits = Math.max(1, skipBits - 3);
  const chart = (isShown: boolean): Part => {
    const line = (bits: number): Bar => {
      const isKnown = bits < skipBits || isShown;
      return {
        id: String(bits),
        title: counted(bits, 'bit'),
        strong: bits === skipBits,
        parts: [{ to: 2 ** bits, tone: 'indices', style: isKnown ? 'lit' : 'ghost' }],
        after: isKnown ? `${2 ** bits} numbers: 0 to ${2 ** bits - 1}` : '?',
      };
    };
    const lines = Array.from({ length: skipBits - fewestBits + 1 }, (_, i) => line(fewestBits + i));
    return bars({ id: 'numbers', max: 2 ** skipBits, height: 1.2 }, lines);
  };
  const numbers = fact('numbers', maxSkip + 1, 'count', ['number', 'numbers']);
  const longest = fact('longest skip', maxSkip);
  return questionFrame(
    {
      id: 'longest skip',
      chapter: 'Too far',
      text: stated`What is the longest skip that ${fact('bits of a skip', skipBits, 'count', ['bit', 'bits'])} can write?`,
      body: chart(false),
    },
    { body: chart(true) },
    {
      options: options.map(String),
      answer: options.indexOf(maxSkip),
      because: stated`Each bit doubles the numbers, so there are ${numbers}: ${fact('first number', 0)} to ${longest}.`,
    },
  );
}

/* 6. A skip that is too long: a zero is stored on the way. */

/** Number of stored zeros that are shown one by one. */
const ZEROS_SHOWN = 2;

function tooFar(f: WindowFacts, tooLong: NonNullable<WindowFacts['tooLong']>): StoryFrame {
  const { row: r, column, index, skip, lastSkip, zeros: added } = tooLong;
  const { maxSkip } = f;
  const start = column - skip;
  const end = endOf(f, r);
  const zeroColumns = Array.from({ length: added }, (_, i) => start + maxSkip + i * (maxSkip + 1));
  const drawnZeros = zeroColumns.slice(0, ZEROS_SHOWN);
  const hiddenCount = zeroColumns.length - drawnZeros.length;
  const hop = (i: number, text: string, from: number, to: number): Span[] =>
    from < to ? [{ id: `hop ${i}`, from, to, text, tone: 'indices' }] : [];
  const spans = [
    ...drawnZeros.flatMap((zero, i) => hop(i, `skip ${maxSkip}`, zero - maxSkip, zero)),
    ...(hiddenCount > 0
      ? hop(added - 1, `${counted(hiddenCount, 'more zero')}`, drawnZeros[drawnZeros.length - 1] + 1, column - lastSkip)
      : []),
    ...hop(added, `skip ${lastSkip}`, column - lastSkip, column),
  ];
  const [limit, remaining, longSkip] = [fact('longest skip', maxSkip), fact('rest', lastSkip), fact('long skip', skip)];
  const bits = fact('bits of a skip', f.skipBits, 'count', ['bit', 'bits']);
  const sumText =
    added === 1 ? `${maxSkip} + 1 + ${lastSkip} = ${skip}` : `${added} \u00d7 (${maxSkip} + 1) + ${lastSkip} = ${skip}`;
  return storyFrame({
    id: 'too far',
    chapter: 'Too far',
    step: storingStep(f, end),
    moves: [700, 900],
    text:
      added > 1
        ? stated`*Skip ${limit} and store a zero ${fact('stored zeros', added)} times, then skip ${remaining}*: together ${longSkip}.`
        : stated`${longSkip} does not fit in ${bits}, so *skip ${limit}, store a zero, skip ${remaining}*.`,
    above: above(f, r, { lit: [tooLong], zeros: drawnZeros, spans }, column),
    body: stack(
      storedList(f, r, tooLong, added + 1, end),
      since(
        1,
        note('why 1', [ink(sumText), { text: `, because ${added > 1 ? 'each' : 'the'} zero takes a column itself.` }]),
      ),
    ),
    below: rowBytes(f, r, end, costText(f, r)),
    also: (context) => zerosInAll(f, context),
    arrows: [{ from: zeroName(r, zeroColumns[0]), to: elementName('values', index - added) }],
  });
}

const WEIGHTS = ['weight', 'weights'] as const;

/** The zeros that the rows of the region need, and those of the matrix, with their weights; null if there are none. */
function zerosInAll({ entries, weights, t }: WindowFacts, context: FrameContext): Stated | null {
  const zeros = wholeFact(context, 'padding');
  const nnz = wholeFact(context, 'non-zeros');
  if (!zeros || !nnz || zeros.value === 0) return null;
  if (nnz.value === weights.length)
    return stated`The matrix needs ${{ ...zeros, unit: ['zero', 'zeros'] }} for ${{ ...nnz, unit: WEIGHTS }}.`;
  const rows = fact('rows here', t.window.rows);
  const who = rows.value === 1 ? stated`This row needs` : stated`These ${rows} rows need`;
  const here = fact('stored zeros here', entries.length - weights.length, 'count', ['zero', 'zeros']);
  return stated`${who} ${here} for ${fact('weights here', weights.length, 'count', WEIGHTS)}, the whole matrix ${zeros} for ${nnz}.`;
}

function noneText(f: WindowFacts, context: FrameContext): Stated {
  const limit = fact('longest skip', f.maxSkip);
  if (f.weights.some(({ skip }) => skip > f.maxSkip))
    return stated`No skip of this row is longer than ${limit}: no zero is needed.`;
  const [zeros, longest] = [wholeFact(context, 'padding'), wholeFact(context, 'longest skip of all')];
  if (!zeros || !longest) return stated`No skip here is longer than ${limit}: no zero is needed.`;
  if (zeros.value > 0) return stated`No skip here is longer than ${limit}, though some of the matrix are.`;
  return stated`No skip of the matrix is longer than *${longest}*, and ${limit} fit: no zero.`;
}

function noneTooFar(f: WindowFacts, longest: Weight): StoryFrame {
  const { row: r, column, skip } = longest;
  const end = endOf(f, r);
  const spans = skipSpan('hop 0', longest, `skip ${skip}`);
  return storyFrame({
    id: 'too far',
    chapter: 'Too far',
    step: storingStep(f, end),
    text: (context) => noneText(f, context),
    also: (context) => zerosInAll(f, context),
    above: above(f, r, { lit: [longest], spans }, column),
    body: storedList(f, r, longest, 1, end),
    below: rowBytes(f, r, end, 'No zero is stored in this row.'),
  });
}

/* 7. All rows, and what they take. */

function oneList(f: WindowFacts): StoryFrame {
  const { indptr } = f.t.encoded;
  const { rows } = f.t.window;
  const end = indptr[rows];
  const spans = Array.from({ length: rows }, (_, i): Span => {
    const [from, to] = [indptr[i], indptr[i + 1]];
    const text = to - from < MIN_ENTRIES_FOR_NAME ? '' : `row ${f.rowNumber(i)} at entry ${from}`;
    return { id: `begin ${i}`, from, to, text, tone: 'metadata', above: true };
  });
  const starts = new Set(indptr);
  /** A cell without its number: only where a row begins matters here. */
  const withoutText = ({ text = '', ...cell }: Cell, e: number): Cell => {
    return { label: text, ...cell, style: starts.has(e) ? 'lit' : 'plain' };
  };
  const fill = (name: string, e: number): Cell => {
    const tone = name === 'values' ? 'padding' : 'indices';
    return { id: elementName(name, e), style: 'plain', tone, label: 'fills the list up' };
  };
  const cellAt = (name: string, cell: (entry: Entry) => Cell) => (e: number) =>
    e < end ? withoutText(cell(f.entries[e]), e) : fill(name, e);
  return storyFrame({
    id: 'one list',
    chapter: ALL,
    step: stepEncoded(f.t),
    moves: [1200, 900],
    text: bytesText(f),
    body: stack(
      cells({ count: f.positions, max: 3, lines: 4, isJoined: true }, [
        arrayRow(
          'values',
          'weights',
          'values',
          cellAt('values', (entry) => entryCell(f, entry, 'plain')),
          spans.filter(({ from, to }) => from < to),
        ),
        arrayRow('deltas', 'skips', 'indices', cellAt('deltas', skipCell)),
      ]),
      since(
        1,
        tightStack(
          rowStarts(f),
          note('starts', 'A row start takes 4 bytes: it is where the row begins in the list. The last one is the end.'),
          note('zeros', zerosNeeded(end - f.weights.length, f.positions - end, f.positions)),
        ),
      ),
    ),
    below: allBytes(f, '', plainLists(f)),
  });
}

/** The bytes of all rows with column numbers instead of skips, and of where rows begin. */
function plainLists(f: WindowFacts): { readonly to: number; readonly text: string } {
  const [weights, columns] = [f.valueBits, COLUMN_BITS].map((bits) => (f.weights.length * bits) / 8);
  const { indptr, scales } = f.t.encoded;
  const to = weights + columns + indptr.byteLength + scales.byteLength;
  return { to, text: `with column numbers ${bytesNumber(to)} B` };
}

/** What the stored zeros of the list, which are hatched, are for. */
function zerosNeeded(skipped: number, fills: number, positions: number): string {
  const entries = positions - fills;
  if (skipped + fills === 0) return 'No zero is stored.';
  const needed = `${counted(skipped, 'zero')} ${skipped === 1 ? 'is for a long skip' : 'are for long skips'}.`;
  const filled = `Only the end of the whole list is filled up: ${counted(fills, skipped > 0 ? 'more zero' : 'zero')}, from ${entries} to ${positions} = ${positions / GROUP} \u00d7 ${GROUP}. A GPU reads eight at a time.`;
  return ['Hatched boxes store zeros.', ...(skipped > 0 ? [needed] : []), ...(fills > 0 ? [filled] : [])].join(' ');
}

const ALL = 'All rows';

/** Where each row begins in the list, and where the last one ends. */
function rowStarts(f: WindowFacts): Part {
  const { indptr } = f.t.encoded;
  const mark = (i: number): Cell => {
    const eventText = i < f.t.window.rows ? `row ${f.rowNumber(i)} begins` : 'the list ends';
    return { id: elementName('indptr', i), text: String(indptr[i]), label: `${eventText} at ${indptr[i]}` };
  };
  return cells({ count: indptr.length, max: 3, lines: 2 }, [arrayRow('starts', 'row starts', 'metadata', mark)]);
}

function bytesText(f: WindowFacts): Stated {
  const [total, dense] = [fact('bytes', f.total), fact('dense bytes', f.dense)];
  if (f.total > f.dense) return stated`Here it loses: list and row starts take *${total} bytes* instead of ${dense}.`;
  if (f.total === f.dense)
    return stated`Here it saves nothing: list and row starts take *${total} bytes*, dense ${dense}.`;
  return f.t.window.rows === 1
    ? stated`The list, and where the row begins and ends: *${total} bytes* instead of ${dense}.`
    : stated`All rows in one list, plus where each begins: *${total} bytes* instead of ${dense}.`;
}

function emptyList(f: WindowFacts): StoryFrame {
  return storyFrame({
    id: 'one list',
    chapter: ALL,
    step: stepEncoded(f.t),
    text: stated`There is nothing to store: all row starts are ${fact('places', 0)}.`,
    body: rowStarts(f),
    below: allBytes(
      f,
      f.t.window.rows === 0 ? 'This region has no rows.' : 'A row start is where the row begins in the list.',
    ),
  });
}

/* Question, and 8. Many lanes of a GPU, which the texts call workers, read one row: where does each begin? */

const MULTIPLY = 'Multiply';
const LANES_SHOWN = 3;
/** Names of the drawn lanes, in the order of the list: their numbers on a GPU would be those of blocks of the whole list. */
const LANE_NAMES = ['first', 'second', 'third'] as const;

/** 'first worker', or 'the worker' of a row that only one reads. */
const workerName = (i: number, count: number): string => (count === 1 ? 'the worker' : `${LANE_NAMES[i]} worker`);

function drawnLanes({ lanes }: WindowFacts): readonly Lane[] {
  return lanes?.all.slice(0, LANES_SHOWN) ?? [];
}

/** The eight entries of each lane, with their columns if these are known. `partBelow`: the part below each. */
function lanePictures(
  f: WindowFacts,
  titleOf: (lane: Lane, i: number, count: number) => readonly TextRun[],
  { isFound = false, partBelow }: { readonly isFound?: boolean; readonly partBelow?: (i: number) => Part } = {},
): Part {
  const style = { count: GROUP, max: 3, widest: ['\u22121.5', ...f.texts] };
  const all = drawnLanes(f).map((lane, i, { length }) =>
    tightStack(
      note(`lane ${i}`, titleOf(lane, i, length)),
      cells(style, laneRows(f, lane, i, isFound)),
      partBelow?.(i) ?? null,
    ),
  );
  return row(all);
}

function laneRows(f: WindowFacts, { from, rowEntries }: Lane, i: number, isFound: boolean): readonly CellRow[] {
  const entryAt = (n: number): Entry | undefined => rowEntries.find((entry) => entry.index === from + n);
  const skip = (n: number): Cell => {
    const entry = entryAt(n);
    if (!entry) return { style: 'ghost', label: `entry ${from + n}: not of row ${f.rowNumber(rowEntries[0].row)}` };
    return { ...skipCell(entry), ...(entry.isZero && { tone: 'padding' }) };
  };
  const ofEntry = (cell: (entry: Entry) => Cell) => (n: number) => {
    const entry = entryAt(n);
    return entry ? cell(entry) : null;
  };
  const column = (entry: Entry): Cell => {
    const text = String(f.columnNumber(entry.column));
    return { id: `column of ${entry.index}`, text, style: 'words', from: elementName('deltas', entry.index) };
  };
  const ofX = (entry: Entry): Cell => {
    const value = f.t.x[entry.column];
    return {
      id: `x of ${entry.index}`,
      text: String(value).replace('-', '\u2212'),
      style: 'lit',
      label: `x: ${value}`,
    };
  };
  const skipRow = arrayRow(`skips ${i}`, 'skips', 'indices', skip);
  const weight = ofEntry((entry) => entryCell(f, entry, 'plain'));
  const weightRow = arrayRow(`weights ${i}`, 'weights', 'values', (n) => weight(n) ?? skip(n));
  if (!isFound) return [weightRow, skipRow];
  return [
    skipRow,
    arrayRow(`columns ${i}`, 'columns', 'ink', ofEntry(column)),
    arrayRow(`x ${i}`, 'input x', 'neutral', ofEntry(ofX)),
    weightRow,
  ];
}

/** Whether the row has more weights than any other, as words. */
function fullestWords({ ofRow, editedRow }: WindowFacts, r: number): string {
  const isFullest = ofRow.every((otherRow, row) => row === r || otherRow.length < ofRow[r].length);
  return editedRow === null && ofRow.length > 1 && isFullest ? ', the fullest here' : '';
}

/** What each lane passes, over the columns of its row. */
function laneSpans(f: WindowFacts): readonly Span[] {
  return drawnLanes(f).map(({ startsAfter: from, passes }, i, { length }) => {
    return { id: `passed ${i}`, from, to: from + passes, text: `${workerName(i, length)}: ${passes}`, tone: 'ink' };
  });
}

function laneStarts(f: WindowFacts, r: number): StoryFrame {
  const all = drawnLanes(f);
  const passesOf = ({ skipped, rowEntries, passes }: Lane): string =>
    `: ${skipped} skipped + ${rowEntries.length} stored = ${passes}`;
  // For a phone, which has the answers above the picture: a line for each lane.
  const lines = all.flatMap((lane, i): CellRow[] => {
    const [weightRow, skipRow] = laneRows(f, lane, i, false);
    return [{ ...weightRow, title: LANE_NAMES[i], tone: 'ink' }, skipRow];
  });
  const body = (isAnswered: boolean): Part => {
    const before = (i: number, title = 'columns before it: '): readonly TextRun[] => [
      { text: title },
      ink(i === all.length - 1 && !isAnswered ? '?' : addedUp(all.slice(0, i).map(({ passes }) => passes))),
    ];
    return stack(
      fitting(
        lanePictures(f, (lane, i) => [ink(LANE_NAMES[i]), { text: passesOf(lane) }], {
          partBelow: (i) => note(`before ${i}`, before(i)),
        }),
        tightStack(
          cells({ count: GROUP, max: 3, grows: true, widest: f.texts }, lines),
          all.map((lane, i) =>
            note(`passes ${i}`, [{ text: `${LANE_NAMES[i]}${passesOf(lane)}, ` }, ...before(i, 'before: ')]),
          ),
        ),
      ),
      tightStack(
        note(
          'passes',
          `They share row ${f.rowNumber(r)}${fullestWords(f, r)}, from entry ${all[0].rowEntries[0].index} on. The first reads entries ${all[0].from} to ${all[0].from + GROUP - 1} of the list.${sharedText(all)}`,
        ),
        note(
          'prefix sum',
          'Each counts on after the columns before it. A GPU computes these sums together in a few steps: a prefix sum.',
        ),
      ),
    );
  };
  const [lastLane, earlierLanes] = [all[all.length - 1], all.slice(0, -1)];
  const begin = fact('start of the last lane', lastLane.startsAfter);
  const candidates = [
    lastLane.passes,
    earlierLanes[earlierLanes.length - 1].passes,
    lastLane.startsAfter,
    lastLane.startsAfter + lastLane.passes,
  ];
  const options = [...new Set(candidates)].toSorted((a, b) => a - b);
  const counts = earlierLanes.map((lane, i) => fact(`columns of lane ${i}`, lane.passes));
  const passed =
    earlierLanes.length === 1
      ? stated`The worker before it passes ${{ ...counts[0], unit: ['column', 'columns'] }}.`
      : stated`The workers before it pass ${counts[0]} + ${counts[1]} = ${begin} columns.`;
  return questionFrame(
    {
      id: 'start of a lane',
      chapter: MULTIPLY,
      step: stepEncoded(f.t),
      text: stated`*Workers* of the GPU read ${fact('places of a lane', GROUP, 'word')} entries each. After which column does the ${LANE_NAMES[all.length - 1]} begin?`,
      // Brackets without text, so that the answer moves nothing.
      above: aboveLow(f, r, { spans: laneSpans(f).map((span) => ({ ...span, text: '' })) }),
      isJoined: true,
      body: body(false),
    },
    { above: aboveLow(f, r, { spans: laneSpans(f) }), body: body(true) },
    {
      options: options.map((column) => `column ${f.columnNumber(column) - 1}`),
      answer: options.indexOf(lastLane.startsAfter),
      because: stated`${passed}${columnText(f, begin)}`,
    },
  );
}

/** '7 + 14 = 21', '7' of one number, '0' of none. */
function addedUp(numbers: readonly number[]): string {
  const total = String(numbers.reduce((sum, n) => sum + n, 0));
  return numbers.length > 1 ? `${numbers.join(' + ')} = ${total}` : total;
}

/** What dashed boxes of lanes are, if there are any. */
const sharedText = (all: readonly Lane[]): string =>
  all.some(({ rowEntries }) => rowEntries.length < GROUP)
    ? ' Dashed boxes are of other rows, or fill the list up.'
    : '';

function columnsOfLanes(f: WindowFacts, r: number): StoryFrame {
  const all = drawnLanes(f);
  const title = ({ startsAfter }: Lane, i: number, count: number) => [
    ink(workerName(i, count)),
    { text: ' counts on from ' },
    ink(xText(f.columnNumber(startsAfter) - 1)),
  ];
  return storyFrame({
    id: 'lanes',
    formerIds: ['lanes take'],
    chapter: MULTIPLY,
    step: stepSumming(f.t, r),
    moves: [1000, 900],
    text:
      all.length === 1
        ? stated`One *worker* of the GPU reads row ${fact('row of the lanes', f.rowNumber(r))}, counting from the first column.`
        : stated`Each weight now has its column, so it multiplies the *input x* of that column.`,
    above: aboveLow(f, r, { spans: laneSpans(f) }),
    isJoined: true,
    body: stack(
      lanePictures(f, title, { isFound: true }),
      tightStack(
        // Several workers are explained in the frame before.
        all.length === 1 ? note('read', `A worker reads eight entries of the list.${sharedText(all)}`) : null,
        since(1, note('sum', productText(f, r, all))),
      ),
    ),
  });
}

/** What the lanes that are drawn add up, with the weights as stored; cells may show them rounded. */
function productText(f: WindowFacts, r: number, all: readonly Lane[]): readonly TextRun[] {
  const sums = all.map(({ rowEntries }) =>
    rowEntries.reduce((sum, entry) => sum + (entry.isZero ? 0 : entry.value * f.t.x[entry.column]), 0),
  );
  const { terms, total, isExact } = sumTexts(sums);
  const count = f.lanes?.all.length ?? 0;
  const rowNumber = f.rowNumber(r);
  const rounded = f.unit.name === null ? '' : 'The drawn weights are rounded, these sums are not. ';
  const scopeText = count > all.length ? ` from ${all.length} of ${count} workers.` : ` for row ${rowNumber} here.`;
  return [
    {
      text: `${rounded}Adding up the products${all.length > 1 ? ` of each worker gives ${terms.join(' + ')} ${isExact ? '=' : '\u2248'} ` : ' gives '}`,
    },
    ink(total),
    { text: `${scopeText}${tooLargeText(f, all)}` },
  ];
}

/** Names a weight of these lanes that became infinite where it is stored. */
function tooLargeText(f: WindowFacts, all: readonly Lane[]): string {
  const infinite = all.flatMap(({ rowEntries }) => rowEntries).find(({ value }) => !Number.isFinite(value));
  if (infinite === undefined) return '';
  return ` A weight is too large for ${f.t.encoded.valueType}: it became ${infinite.value < 0 ? '\u2212' : ''}\u221e.`;
}

/* 9. What it is worth. */

function verdictFrame(f: WindowFacts): StoryFrame {
  const { rows, cols } = f.t.window;
  const [figures] = published;
  const halfPoint = figures.points.find((point) => point.density === 0.5);
  return verdict({
    title: 'MACKO',
    step: f.t.steps.length,
    timedProduct: 'one matrix \u00d7 vector',
    isRelevant: ({ pattern, operation }) => pattern === 'uniform' && operation === 'spmv',
    window: { rows, cols, nnz: f.weights.length, stored: f.total, dense: f.dense },
    ...(halfPoint && {
      published: `MACKO\u2019s authors published ${halfPoint.value.toFixed(2)} times the speed of dense, with half kept, on ${figures.device ?? 'their device'}.`,
    }),
    slowedBy: 'Starting, reading x and unpacking skips take time, too.',
  });
}
