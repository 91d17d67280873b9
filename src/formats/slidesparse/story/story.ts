import { sumTexts } from '../../../story/cell-unit.ts';
import { stepEncoded, stepMultiplying } from '../../../story/declared/trace.ts';
import { type Bar, bars } from '../../../story/flow/bars.ts';
import type { Cell } from '../../../story/flow/cell-marks.ts';
import { arrayRow, type CellRow, cells } from '../../../story/flow/cells.ts';
import {
  tightStack,
  fitting,
  ink,
  legend,
  note,
  row,
  since,
  stack,
  until,
  withOwnGutter,
} from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { counterBar, totalOf } from '../../../story/flow/counter-bar.ts';
import { questionFrame, storyFrame, type StoryFrame } from '../../../story/flow/story-frames.ts';
import { type RecordedSpeed, againstDense, verdict } from '../../../story/flow/verdict.ts';
import { type FrameContext, sliderThrough, wholeFact } from '../../../story/frames.ts';
import { cellName, elementName } from '../../../story/scene-parts.ts';
import type { TextRun, Tone } from '../../../story/scene.ts';
import { scoped, fact, type NamedFact, numberText, type Stated, stated } from '../../../core/text/stated.ts';
import { bytesNumber, counted, countText, shapeText, valueText, xText } from '../../../core/text/words.ts';
import { KEPT, patternName, STRIDE, WINDOW } from '../params.ts';
import { PUBLISHED_ACCURACY, SLID_PATTERN, PUBLISHED_PREFILL } from '../published.ts';
import { windowsPerRowOf } from '../layout.ts';
import { fullestAssignments } from '../slide.ts';
import {
  type Box,
  isPruned,
  SLOT_BYTES,
  type RowBytes,
  rowSumText,
  rowBytes,
  type SlideSparseTrace,
  type FollowedGroup,
  followedGroup,
  weightBytes,
} from './facts.ts';
import {
  columns,
  groupAbove,
  takenBy,
  windowBelow,
  type GroupState,
  span,
  WIDE,
  slotsOfWindows,
  boxCell,
  storedList,
  titlesOf,
  bytesBar,
  windowStep,
  ownGroupsNote,
} from './shared-parts.ts';

/*
 * SlideSparse in frames, pictures with a short text each, two of which are questions. The unit of a GPU skips two zeros of
 * four, but with this many zeros a model has fewer right answers. With fewer zeros, weights fit the unit only by
 * windows that overlap, which the frames show for one group step by step, for every placement, for a whole row and in the
 * product. The last frame is about speed.
 * The group is at the top, and its bytes at the bottom.
 *
 * `moves` of a frame lists the ms of the movement to each state of its picture, which count from 0: `since(1, part)` draws a
 * part from state 1 on, `until(1, before, after)` draws `before` in state 0. With `isJoined`, the body
 * follows the group above it without a gap.
 */

/** The frames of SlideSparse’s story on a region of a matrix. */
export function story(t: SlideSparseTrace): readonly StoryFrame[] {
  const g = followedGroup(t);
  const questionFrames = isPublished(t) ? [howManyStay()] : [];
  const slides = g && g.windows.length > 1 ? [doesNotFit(g), secondWindow(g), howManyFail(g)] : [];
  const group = g
    ? [
        ...[neighbours(g), overlap(g), firstWindow(g), ...slides].map((frame) => drawing(g, frame)),
        wholeRow(g),
        drawing(g, product(g)),
      ]
    : [nothing(t)];
  return [unit(), problem(), ...questionFrames, ...group, verdictFrame(t)];
}

/** A frame that draws only the columns of the group. */
const drawing = ({ cells: groupCells }: FollowedGroup, frame: StoryFrame): StoryFrame => ({
  ...frame,
  drawnColumns: { from: groupCells[0].column, count: groupCells.length },
});

/** Accuracy is published for 6:8 only. */
const isPublished = ({ encoded: { halfGroup } }: SlideSparseTrace): boolean => patternName(halfGroup) === SLID_PATTERN;

/* The unit of a GPU for 2:4, its sparse tensor cores. */

const EXAMPLE = { weights: [3, 0, 5, 0, 0, 2, 0, 4], x: [2, 1, 4, 3, 5, 2, 1, 3] } as const;

function unit(): StoryFrame {
  const { weights, x } = EXAMPLE;
  const products = weights.map((weight, i) => weight * x[i]);
  const usedProducts = products.filter((product) => product > 0);
  const isKept = (i: number): boolean => products[i] > 0;
  const weight = (i: number): Cell => ({ text: String(weights[i]), style: isKept(i) ? 'lit' : 'empty' });
  const dense = (i: number): Cell => ({ text: String(products[i]) });
  const product = (i: number): Cell | null => (isKept(i) ? { text: String(products[i]), style: 'lit' } : null);
  const spans = [0, WINDOW].map((from) => span(`two of four ${from}`, from, from + WINDOW, 'two weights in four'));
  return storyFrame({
    id: 'unit',
    chapter: THE_PROBLEM,
    moves: [0],
    text: stated`Some GPUs have a hardware *unit* that skips ${fact('of every four', 2, 'word')} zeros in every ${fact('of', 4, 'word')} numbers.`,
    body: stack(
      cells({ count: products.length, group: WINDOW, widest: ['88'], max: WIDE }, [
        arrayRow('weights', 'row', 'values', weight),
        arrayRow('x', 'x, the input', 'neutral', (i) => ({ text: String(x[i]) })),
        arrayRow('dense', 'dense', 'neutral', dense),
        arrayRow('products', 'the unit', 'format', product, spans),
      ]),
      multiplications(products.length, usedProducts.length),
      note('sum', [
        { text: 'Dense multiplies the zeros, too, but both give ' },
        ink(`${usedProducts.join(' + ')} = ${usedProducts.reduce((a, b) => a + b)}`),
        { text: '.' },
      ]),
    ),
  });
}

/** How often dense multiplies, and how often the unit. */
function multiplications(dense: number, unit: number): Part {
  const times = (id: string, title: string, to: number, tone: Tone): Bar => {
    return { id, title, parts: [{ to, tone, text: counted(to, 'multiplication') }] };
  };
  return bars({ id: 'multiplications', max: Math.max(dense, unit), height: 1.4 }, [
    times('dense', 'dense', dense, 'neutral'),
    times('unit', 'the unit', unit, 'format'),
  ]);
}

/* How many right answers a model loses by two zeros in four, and by two zeros in eight. */

const THE_PROBLEM = 'The problem';
type Pattern = keyof typeof PUBLISHED_ACCURACY;
const PATTERNS = {
  dense: { left: [1, 1, 1, 1, 1, 1, 1, 1], tone: 'neutral' },
  '2:4': { left: [1, 0, 1, 0, 0, 1, 0, 1], tone: 'danger' },
  '6:8': { left: [1, 1, 1, 1, 0, 1, 0, 1], tone: 'format' },
} as const;
const percent = (name: string, pattern: Pattern): Stated =>
  stated`${fact(name, PUBLISHED_ACCURACY[pattern], 0)}\u202f%`;

/** Eight weights of each pattern, and the right answers of a model in it, in percent; '?' for `highlighted`. */
function answers(patterns: readonly Pattern[], highlighted: Pattern | null = null): Part {
  const row = (pattern: Pattern): CellRow => {
    const [keptWeights, groupWidth] = pattern.split(':').map(Number);
    const starts =
      pattern === 'dense' ? [] : Array.from({ length: (2 * WINDOW) / groupWidth }, (_, i) => i * groupWidth);
    const spans = starts.map((from) =>
      span(`${pattern} ${from}`, from, from + groupWidth, `${keptWeights} of ${groupWidth} stay`, 'values'),
    );
    const cell = (i: number): Cell =>
      PATTERNS[pattern].left[i] ? { style: 'lit', label: 'a weight' } : { text: '0', style: 'empty' };
    return arrayRow(`weights of ${pattern}`, pattern, 'values', cell, spans);
  };
  const bar = (pattern: Pattern): Bar => {
    const isHighlighted = pattern === highlighted;
    const { tone } = PATTERNS[pattern];
    const to = PUBLISHED_ACCURACY[isHighlighted ? 'dense' : pattern];
    const number: TextRun = {
      ...ink(isHighlighted ? '?' : percent('', pattern).text),
      tone: tone === 'neutral' ? 'ink' : tone,
    };
    return {
      id: pattern,
      title: pattern,
      parts: [{ to, tone, style: isHighlighted ? 'ghost' : 'lit' }],
      after: [number],
    };
  };
  const meaning = 'right answers of Qwen3-1.7B, a language model';
  return stack(
    cells({ count: 2 * WINDOW, group: WINDOW, max: WIDE }, patterns.map(row)),
    bars(
      { id: 'answers', max: PUBLISHED_ACCURACY.dense, height: patterns.length > 2 ? 1.6 : 2.4, meaning },
      patterns.map(bar),
    ),
  );
}

function problem(): StoryFrame {
  return storyFrame({
    id: 'problem',
    chapter: THE_PROBLEM,
    text: stated`But ${fact('zeros', 2, 'word')} zeros forced into every ${fact('of', 4, 'word')} cost a model *most of its right answers*.`,
    body: answers(['dense', '2:4']),
  });
}

function howManyStay(): StoryFrame {
  const options = (['2:4', null, SLID_PATTERN] as const).map((option) =>
    option === null ? '35\u202f%' : percent('', option).text,
  );
  return questionFrame(
    {
      id: 'question answers',
      chapter: THE_PROBLEM,
      text: stated`With only ${fact('zeros', 2, 'word')} zeros in every ${fact('of, 6:8', 8, 'word')}, how many answers are right?`,
      body: answers(['dense', '2:4', '6:8'], '6:8'),
    },
    { body: answers(['dense', '2:4', '6:8']) },
    {
      options,
      answer: options.indexOf(percent('', SLID_PATTERN).text),
      because: stated`In ${SLID_PATTERN}, ${percent('right answers in percent, 6:8', SLID_PATTERN)} are right, almost the ${percent('right answers in percent, dense', 'dense')} of dense.`,
    },
  );
}

/** A region without weights. */
function nothing(t: SlideSparseTrace): StoryFrame {
  const { rows, cols } = t.window;
  const frame = { id: 'nothing', chapter: THE_IDEA } as const;
  const g = followedGroup(t, 'all');
  if (!g)
    return storyFrame({
      ...frame,
      text: stated`This region contains *no cells*: there is nothing to slide.`,
      body: note('no weights', `${shapeText(rows, cols)}: no cells.`),
    });
  const count = g.windows.length;
  const boxes = fact('room of all windows', KEPT * count, 'word');
  const bytes = rowBytes(g, { wholeMatrix: null });
  const ofRow = totalOf(bytes.parts);
  const sizeOfRows = `${rowSumText(g, bytes)} ${rows === 1 ? 'It is the only row' : `${countText(rows)} such rows take ${bytesNumber(rows * ofRow)} bytes, where dense takes ${countText(rows * bytes.dense)}`}.`;
  return storyFrame({
    ...frame,
    step: windowStep(g, count - 1),
    text: stated`*No weights* here, but each group stores ${boxes} zeros all the same.`,
    above: groupAbove(g),
    isJoined: true,
    body: stack(
      groupPart(g, { upTo: count - 1, stored: count, lit: [] }),
      note('no weights', `A row: ${sizeOfRows}`),
      ownGroupsNote(g),
    ),
    below: bytesBar(g, count, sizeText(g, count)),
  });
}

/* What two zeros in a group leave, and why the unit cannot multiply it. A region that is too full is pruned first. */

function neighbours(g: FollowedGroup): StoryFrame {
  const prunedCount = g.cells.filter(isPruned).length;
  const pruned = `From here on the smallest weights are set to zero: ${prunedCount} here, ${countText(g.prunedInRegion)} in this region.`;
  return storyFrame({
    id: 'neighbours',
    chapter: THE_PROBLEM,
    text: neighboursText(g, prunedCount),
    above: groupAbove(g, { isUnpruned: prunedCount > 0, lit: prunedCount > 0 ? [] : takenBy(g, () => true) }),
    isJoined: prunedCount === 0,
    body: stack(prunedCount > 0 ? note('pruned', pruned, { tone: 'danger' }) : inFours(g), ownGroupsNote(g)),
  });
}

/** A picture of the weights that the unit multiplies if a group is read in fours, and of those that are too many. */
function inFours(g: FollowedGroup): Part {
  const weights = takenBy(g, () => true);
  const starts = g.cells.flatMap((_, c) => (c % WINDOW === 0 ? [c] : []));
  const fours = starts.map((from) => ({ from, inFour: weights.filter((c) => c >= from && c < from + WINDOW) }));
  const fittingColumns = fours.flatMap(({ inFour }) => inFour.slice(0, KEPT));
  const over = fours.flatMap(({ inFour }) => inFour.slice(KEPT));
  const cell = (c: number): Cell | null => {
    if (over.includes(c)) return { text: '\u00d7', style: 'lit', tone: 'danger' };
    return fittingColumns.includes(c) ? { text: '\u2713', style: 'lit' } : null;
  };
  const spans = fours.map(({ from, inFour: { length } }) => {
    const to = Math.min(from + WINDOW, g.cells.length);
    const text = `${counted(length, 'weight')}${to - from < WINDOW ? '' : ' in four'}`;
    return span(`four ${from}`, from, to, text, length > KEPT ? 'danger' : 'format');
  });
  const width = numberText({ value: 2 * g.t.encoded.halfGroup, rounding: 'word' });
  const [from, to] = [0, g.cells.length - 1].map((c) => g.columnNumber(g.cells[c].column));
  const which = from === to ? `column ${from}` : `columns ${from} to ${to}`;
  const group = span('group', 0, g.cells.length, `one group: ${which}`, 'neutral');
  const takesText = `Of every four, the unit takes the first two${over.length > 0 ? ', so the \u00d7 is one too many' : ''}.`;
  return stack(
    note(
      'zeros',
      `Every ${width} columns form a group, and at least two of them are zero. If more are zero, it still stores ${numberText({ value: KEPT * g.windows.length, rounding: 'word' })} numbers, some of them zeros.`,
    ),
    columns(g, [arrayRow('fours', 'the unit', 'format', cell, [...spans, group])]),
    legend(
      'means',
      ['values', g.unit.name === null ? 'weight' : `weight, in ${g.unit.name}`],
      ['format', 'fits the unit'],
      ...(over.length > 0 ? [['danger', 'does not fit'] as const] : []), // bounded: one colour of a key
    ),
    note('takes', takesText),
  );
}

function neighboursText(g: FollowedGroup, prunedCount: number): Stated {
  const { halfGroup } = g.t.encoded;
  if (prunedCount > 0) {
    const start = fact('first column of the group', g.columnNumber(g.cells[0].column));
    const end = fact('last column of the group', g.columnNumber(g.cells[g.cells.length - 1].column));
    return stated`Row ${fact('row of the group', g.rowNumber(g.row))}, columns ${start} to ${end} contain ${fact('weights before pruning', g.weights + prunedCount)} weights: *rejected*. At most ${fact('weights that may stay', 2 * halfGroup - 2)} may stay.`;
  }
  return halfGroup === 2
    ? stated`Here, too, ${fact('zeros', 2, 'word')} of every ${fact('columns of a group', 4, 'word')} are zero, so the unit can multiply *all weights*.`
    : stated`But in ${patternName(halfGroup)}, four neighbours may contain *too many weights for the unit*.`;
}

/* The idea. */

const THE_IDEA = 'The idea';

function overlap(g: FollowedGroup): StoryFrame {
  const { windows } = g;
  const count = windows.length;
  return storyFrame({
    id: 'overlap',
    chapter: THE_IDEA,
    moves: windows.map(() => (count <= 3 ? 900 : 2400 / count)),
    text:
      count === 1
        ? stated`One *window* covers each group, and it takes up to two weights.`
        : stated`${fact('windows', count, 'Word')} overlapping *windows* take two weights each, so *${fact('room of all windows', KEPT * count, 'word')} weights fit*.`,
    above: groupAbove(g),
    isJoined: true,
    body: stack(
      tightStack(
        windows.map((_, w) =>
          since(
            w,
            windowBelow(g, w, () => ({ style: 'plain' })),
          ),
        ),
        storedList(g, { stored: 0 }),
      ),
      tightStack(
        note('fits', 'A window has four columns and takes two weights, so the unit can multiply it.'),
        note('boxes', 'It has two boxes for them, dashed here, below the weights that they will store.'),
      ),
    ),
    // Never visible: it has the width of later bars, so that the windows do not move.
    below: since(count, bytesBar(g, 0, '')),
  });
}

/* One group, slowly. */

const SLOWLY = 'One group';

/** The windows and the stored list, at one position in all pictures of the group. */
const groupPart = (g: FollowedGroup, state: GroupState): Part =>
  tightStack(slotsOfWindows(g, state), storedList(g, state));

/** '6 × 2 + 6 × ¼ = 13.5 bytes.' for this number of windows. */
function sizeText({ t }: FollowedGroup, windows: number): string {
  const bytesPerWeight = weightBytes(t.encoded);
  const boxes = KEPT * windows;
  return `${boxes} \u00d7 ${bytesPerWeight} + ${boxes} \u00d7 \u00bc = ${boxes * (bytesPerWeight + SLOT_BYTES)} bytes.`;
}

function firstWindowText({ windows, third }: FollowedGroup): Stated {
  const window = fact('first window', 0);
  const { weightCount } = windows[0];
  if (weightCount === 0) return stated`Window ${window} finds no weight: both of its boxes stay *empty*.`;
  if (weightCount === 1) return stated`Window ${window} takes its only weight. The other box stays *empty*.`;
  const taken = third === null ? 'its two weights' : 'its first two weights';
  return stated`Window ${window} takes ${taken} and stores their *slots*.`;
}

function firstWindow(g: FollowedGroup): StoryFrame {
  const [before, after] = [0, 1].map((stored) => ({ upTo: 0, stored, lit: [0] }));
  const [bytes, count] = [weightBytes(g.t.encoded), g.cells.length];
  const sizeNote = `A weight takes ${counted(bytes, 'byte')}, its slot \u00bc byte, dense ${count} \u00d7 ${bytes} = ${count * bytes}.`;
  return storyFrame({
    id: 'first window',
    chapter: SLOWLY,
    step: windowStep(g, 0),
    moves: [900, 700],
    text: firstWindowText(g),
    above: groupAbove(g, { lit: takenBy(g, (w) => w === 0) }),
    isJoined: true,
    body: stack(
      until(1, groupPart(g, before), groupPart(g, after)),
      legend('means', ['values', 'weight'], ['indices', 'its slot in the window: 0, 1, 2 or 3, in 2 bits']),
    ),
    below: until(1, bytesBar(g, 0, sizeNote), bytesBar(g, 1, sizeNote)),
  });
}

/** How often a window of the whole matrix meets a weight that it is too full to store. */
function slidesInAll(context: FrameContext): Stated | null {
  const often = wholeFact(context, 'slides', 'count', ['weight', 'weights']);
  const over = wholeFact(context, 'groups that are refused', 'count', ['group is', 'groups are']);
  const groups = wholeFact(context, 'groups with weights');
  if (!often || !over || !groups || often.value + over.value === 0) return null;
  const all = stated`Whole matrix: ${often} slid on`;
  if (over.value > 0) return stated`${all}; ${over} rejected.`;
  const mean: NamedFact = { ...fact('slides a group', often.value / groups.value, 'mean'), scope: 'matrix' };
  return stated`${all}, ${mean} for each group that has weights.`;
}

function nothingSlides({ slidesInRegion }: FollowedGroup, context: FrameContext): Stated {
  const slides = wholeFact(context, 'slides', 'Word', ['weight', 'weights']);
  // Rejected groups are pruned first; how many weights slide then is known for the region only.
  const isAsGiven = wholeFact(context, 'groups that are refused')?.value === 0;
  if (slides?.value === 0 && isAsGiven) return stated`*${slides} of the matrix slide on*: no window meets a third.`;
  return stated`*Nothing slides on* in this ${slidesInRegion ? 'group' : 'region'}: no window meets a third weight.`;
}

/** A third weight that does not fit in window 0, or a text that there is none. */
function doesNotFit(g: FollowedGroup): StoryFrame {
  const { third } = g;
  return storyFrame({
    id: 'does not fit',
    chapter: SLOWLY,
    step: windowStep(g, 0),
    moves: [700, 700],
    text: (context) =>
      third === null
        ? nothingSlides(g, context)
        : stated`The third weight *does not fit*, because a window takes only two.`,
    ...(third === null && { also: slidesInAll }),
    above: groupAbove(g, third === null ? {} : { lit: [third], ring: third }),
    isJoined: true,
    body: stack(
      groupPart(g, { upTo: 0, stored: 1, ring: third }),
      third === null ? null : since(1, note('slides', 'It slides on to window 1, which covers this column, too.')),
    ),
    below: bytesBar(g, 1, ''),
  });
}

/** Text about what the last window of a group takes, which is all that is left. */
function lastTakes({ windows, columnNumber }: FollowedGroup): string {
  const filledBoxes = windows[windows.length - 1].boxes.filter(({ isEmpty }) => !isEmpty);
  const columns = filledBoxes.map(({ column }) => columnNumber(column)).toSorted((a, b) => a - b);
  if (columns.length === 0) return 'finds no weight left';
  return `takes what is left: ${columns.length === 1 ? 'column' : 'columns'} ${columns.join(' and ')}`;
}

/** 'Window 1 also takes column 4, into slot 2. ', if it takes another weight after the third. */
function alsoTakes({ third, windows, cells: groupCells, columnNumber }: FollowedGroup): string {
  const also = windows[1].boxes.find(
    ({ isEmpty, column }) => !isEmpty && third !== null && column !== groupCells[third].column,
  );
  if (third === null || !also) return '';
  return `Window 1 also takes column ${columnNumber(also.column)}, into slot ${also.slot}. `;
}

/** What window 1 does if no third weight is left over from window 0, which took `takenBefore` weights. */
function takenText(takenBefore: number, weightCount: number): string {
  const isFirst = takenBefore === 0;
  if (weightCount === 0) return `finds ${isFirst ? 'none, too' : 'no more'}`;
  return `takes the ${isFirst ? 'first' : 'next'} ${weightCount === 1 ? 'one' : 'two'}`;
}

function secondWindow(g: FollowedGroup): StoryFrame {
  const { third, windows } = g;
  const window = fact('second window', 1);
  const { weightCount, start } = windows[1];
  const count = windows.length;
  const before = { upTo: 1, stored: 2, ring: third };
  const further = windows.flatMap((_, w) => (w > 0 ? [w] : []));
  const after = { upTo: count - 1, stored: count, lit: further, ring: third };
  const free = windows.every((w) => w.weightCount === KEPT) ? '' : ' A free box stores a 0.';
  const subject = count > 2 ? 'Each further window' : 'Each window';
  const rule =
    count === 3
      ? `${alsoTakes(g)}Window 2 then ${lastTakes(g)}.${free}`
      : `${subject} takes the first two weights left in its columns.${free}`;
  return storyFrame({
    id: 'second window',
    chapter: SLOWLY,
    step: windowStep(g, count - 1),
    moves: [900, 900],
    text:
      third === null
        ? stated`*Window ${window}* begins two columns later, and it ${takenText(windows[0].weightCount, weightCount)}.`
        : stated`Window ${window} takes it: the weight of *column ${fact('column', g.columnNumber(g.cells[third].column))} goes into slot ${fact('place', third - start)}*.`,
    above: until(
      1,
      groupAbove(g, { lit: takenBy(g, (w) => w === 1), ring: third }),
      groupAbove(g, { lit: takenBy(g, (w) => w > 0), ring: third }),
    ),
    isJoined: true,
    body: stack(until(1, groupPart(g, before), groupPart(g, after)), since(1, note('rule', rule))),
    below: until(1, bytesBar(g, 2, sizeText(g, 2)), bytesBar(g, count, sizeText(g, count))),
  });
}

/* Question: does every placement fit? The answer shows each of them, filled as the encoder fills it. */

/** Maximum number of cells of all drawn placements together. */
const MAX_PLACEMENT_CELLS = 280;

function placements(g: FollowedGroup, isAnswered: boolean): Part {
  const { all } = fullestAssignments(g.t.encoded.halfGroup);
  const width = all[0].length;
  const drawnWays = all.slice(0, Math.floor(MAX_PLACEMENT_CELLS / width));
  const cell = (i: number): Cell => {
    const [way, c] = [Math.floor(i / width), i % width];
    const window = drawnWays[way][c];
    const id = `way ${way}.${c}`;
    if (window < 0) return { id, style: 'empty', label: `column ${c}: zero` };
    if (!isAnswered) return { id, style: 'plain', label: `column ${c}: a weight` };
    return { id, style: 'plain', text: String(window), label: `column ${c}: window ${window} takes it` };
  };
  const explanation = isAnswered
    ? `Each digit is the window that takes the weight. In the first strip, both zeros come last. In others, they move a weight right by at most two columns. So the third and fourth weight stay in the third to sixth column, which window 1 covers.`
    : `Each strip of ${width} boxes is one way.`;
  const hiddenNote = drawnWays.length < all.length ? ` ${drawnWays.length} of ${all.length} ways are shown.` : '';
  const style = { group: width, groupsPerLine: Math.ceil(drawnWays.length / 4), lines: 30, max: 1.7, widest: ['0'] };
  const strips = cells({ count: drawnWays.length * width, ...style }, [{ id: 'ways', tone: 'values', cell }]);
  return stack(strips, note('proof', explanation + hiddenNote));
}

function howManyFail(g: FollowedGroup): StoryFrame {
  const { t, windows } = g;
  const width = 2 * t.encoded.halfGroup;
  const { all, failures } = fullestAssignments(t.encoded.halfGroup);
  const options = ['1', '6', 'none'];
  const count = fact('ways', all.length);
  return questionFrame(
    {
      id: 'question ways',
      chapter: SLOWLY,
      step: windowStep(g, windows.length - 1),
      text: stated`${fact('weights', width - 2)} weights can lie in ${fact('columns', width)} columns in ${count} ways. How many do not fit?`,
      above: groupAbove(g),
      body: placements(g, false),
    },
    { body: placements(g, true) },
    {
      options,
      answer: options.indexOf(failures === 0 ? 'none' : String(failures)),
      because: stated`All *${count} ways fit*: the ${fact('windows', windows.length, 'word')} windows always take all ${fact('weights', width - 2, 'word')}.`,
    },
  );
}

/* The whole row. */

function wholeRow(g: FollowedGroup): StoryFrame {
  return {
    id: 'whole row',
    chapter: 'One row',
    drawnColumns: drawnGroups(g),
    step: stepEncoded(g.t),
    moves: [1200],
    text: (context) => rowText(rowBytes(g, context)),
    also: (context) => wholeRowText(rowBytes(g, context)),
    show: (context) => {
      const bytes = rowBytes(g, context);
      const below = counterBar({ title: bytes.isPart ? 'drawn' : 'row', ...bytes, text: rowSumText(g, bytes) });
      const whole = wholeRowText(bytes);
      return { above: groupAbove(g), body: stack(rowPart(g, bytes), whole && note('whole matrix', whole.text)), below };
    },
  };
}

/** The bytes of the matrix's row, if the region has only a part of it. */
function wholeRowText({ ofMatrix }: RowBytes): Stated | null {
  if (!ofMatrix) return null;
  const { groups, stored, dense } = ofMatrix;
  return scoped(
    'matrix',
    stated`The whole row has ${fact('groups', groups)} groups: ${fact('bytes of the row', stored)} bytes, and ${fact('bytes of the dense row', dense)} in dense.`,
  );
}

function rowText({ groups, parts, dense, isPart }: RowBytes): Stated {
  const storedBytes = fact('bytes of the row', totalOf(parts));
  const denseBytes = fact('bytes of the dense row', dense);
  const who =
    groups === 1
      ? stated`The one group ${isPart ? 'drawn' : 'of the row'} takes`
      : stated`The ${fact('groups', groups)} groups ${isPart ? 'drawn' : 'of the row'} take`;
  return storedBytes.value < dense
    ? stated`${who} *${storedBytes} bytes* instead of ${denseBytes}.`
    : stated`${who} *${storedBytes} bytes*, where dense takes ${denseBytes}.`;
}

/** Most groups of the row that are drawn. */
const GROUPS = 4;

/** The columns of the region whose groups are drawn, including the group at the top. */
function drawnGroups({ t, group }: FollowedGroup) {
  const width = 2 * t.encoded.halfGroup;
  const all = Math.ceil(t.window.cols / width);
  const from = Math.max(0, Math.min(group, all - GROUPS)) * width;
  return { from, count: Math.min(GROUPS * width, t.window.cols - from) };
}

/** Draws weights of some groups of the row, including the group at the top, and the bytes of each group. */
function rowPart(g: FollowedGroup, bytes: RowBytes): Part {
  const { row, ofRow } = g;
  const [width, perGroup] = [2 * g.t.encoded.halfGroup, KEPT * g.windows.length];
  const groups = Math.min(GROUPS, bytes.groupsInRegion);
  const drawnRange = drawnGroups(g);
  const drawnCells = ofRow.cells.slice(drawnRange.from, drawnRange.from + drawnRange.count);
  const weight = (i: number): Cell => {
    const { taker, column, value } = drawnCells[i];
    const id = cellName(row, column);
    const label = `row ${g.rowNumber(row)}, column ${g.columnNumber(column)}: ${taker < 0 ? 0 : valueText(value)}`;
    return { id: `row ${id}`, label, highlightNames: [id], style: taker < 0 ? 'empty' : 'plain' };
  };
  const from = g.group * width - drawnRange.from;
  const groupSpan = { ...span('slow group', from, from + g.cells.length, 'the group above'), above: true };
  const size = `${perGroup * (weightBytes(g.t.encoded) + SLOT_BYTES)} bytes`;
  const weightCounts = Array.from(
    { length: groups },
    (_, i) => drawnCells.slice(i * width, (i + 1) * width).filter(({ taker }) => taker >= 0).length,
  );
  const sizes = weightCounts.map((count, i) =>
    span(`size ${i}`, i * width, Math.min((i + 1) * width, drawnCells.length), `${counted(count, 'weight')}: ${size}`),
  );
  const emptier = weightCounts.some((count) => count < perGroup)
    ? `A group with fewer than ${perGroup} weights takes as many bytes: its free boxes store zeros.`
    : `A group with fewer weights would take as many bytes: its free boxes would store zeros.`;
  const style = { group: width, groupsPerLine: groups, besides: titlesOf(g), max: WIDE, lines: GROUPS };
  return stack(
    cells({ count: drawnCells.length, ...style }, [
      arrayRow('row', 'weights', 'values', weight, [groupSpan, ...sizes]),
    ]),
    groups < bytes.groups ? note('shown', `${groups} of its ${countText(bytes.groups)} groups are shown.`) : null,
    note('fewer', emptier),
  );
}

/* The product: every window reads four numbers of x. */

function product(g: FollowedGroup): StoryFrame {
  const { t, windows, cells: groupCells } = g;
  const [width, products] = [2 * t.encoded.halfGroup, KEPT * windows.length];
  const times = fact('multiplications', products);
  const dense = fact('multiplications, dense', groupCells.length);
  const isCopied = windows.length > 1 && groupCells.length === width;
  const copies = `Columns ${g.columnNumber(groupCells[0].column + STRIDE)} to ${g.columnNumber(groupCells[0].column + width - STRIDE - 1)} are in two windows, so their x is copied.`;
  const x = (c: number): Cell => {
    const id = elementName('x', groupCells[c].column);
    return { id, text: xText(t.x[groupCells[c].column]), highlightNames: [id] };
  };
  return storyFrame({
    id: 'product',
    chapter: 'The product',
    step: Math.max(0, ...groupCells.map(({ column }) => stepMultiplying(t, g.row, column))), // bounded: a group
    moves: [1000, 900],
    text:
      times.value < dense.value
        ? stated`The unit multiplies only *${times} times*, where dense multiplies ${dense} times.`
        : dense.value === 1
          ? stated`The unit multiplies *${times} times*, and dense once.`
          : stated`The unit multiplies *${times} times*, and dense ${dense} times.`,
    above: groupAbove(g),
    isJoined: true,
    body: stack(
      columns(g, [arrayRow('x', 'x', 'neutral', x)]),
      copiedInput(g),
      multiplications(dense.value, times.value),
      since(1, tightStack(isCopied ? note('copies', copies) : null, note('sum', sumText(g)))),
    ),
  });
}

/** What each window adds to y, from the weights as stored; cells may show them rounded. */
function sumsOf({ t, windows }: FollowedGroup): readonly number[] {
  return windows.map(({ boxes }) =>
    boxes.reduce((sum, { isEmpty, value, column }) => sum + (isEmpty ? 0 : value * t.x[column]), 0),
  );
}

/** If more windows than this are added up, their sums are not written out. */
const MAX_TERMS = 3;

function sumText(g: FollowedGroup): readonly TextRun[] {
  const { terms, total, isExact } = sumTexts(sumsOf(g));
  const rounded = g.unit.name === null ? '' : 'The drawn weights are rounded, these sums are not. ';
  const sum = terms.length > MAX_TERMS ? '' : `${terms.join(' + ')} ${isExact ? '=' : '\u2248'} `;
  const text = g.windows.length > 1 ? `The windows add up to ${sum}` : 'It adds ';
  return [{ text: rounded + text }, ink(total), { text: ', as in dense.' }];
}

/**
 * x as the unit reads it, window by window, with the weights that it multiplies; it skips the other numbers. Windows
 * are next to each other or, where they do not fit, below their own columns.
 */
function copiedInput(g: FollowedGroup): Part {
  const { t, windows, cells: groupCells } = g;
  const sums = sumTexts(sumsOf(g)).terms;
  const window = (w: number, isNextTo: boolean): Part => {
    const { start, boxes } = windows[w];
    const boxAt = (c: number): Box | undefined =>
      boxes.find(({ isEmpty, column }) => !isEmpty && column === groupCells[start + c]?.column);
    const copy = (c: number): Cell => {
      const id = `copy ${w * WINDOW + c}`;
      if (start + c >= groupCells.length) return { id, style: 'ghost', label: 'outside the region' };
      const { column } = groupCells[start + c];
      const name = elementName('x', column);
      const label = `x of column ${g.columnNumber(column)}${boxAt(c) ? '' : ', skipped here'}`;
      const cell = { id, text: xText(t.x[column]), from: name, highlightNames: [name], label };
      return boxAt(c) ? { ...cell, tone: 'format', style: 'lit' } : cell;
    };
    const weight = (c: number): Cell | null => {
      const box = boxAt(c);
      return box ? boxCell(g, box, 'lit') : null;
    };
    const title = windows.length > 1 ? 'x, copied' : 'x, read';
    const adds = `window ${w} adds ${sums[w]}`;
    /** its rows in a part of `count` columns, from column `from` on */
    const rows = (from: number, count: number): readonly CellRow[] => {
      const to = Math.min(from + WINDOW, count);
      const only = (cell: (c: number) => Cell | null) => (c: number) => (c < from || c >= to ? null : cell(c - from));
      const spans = from < to ? [span(`x of window ${w}`, from, to, adds)] : [];
      return [
        arrayRow(`laid out ${w}`, title, 'neutral', only(copy)),
        arrayRow(`multiplied ${w}`, 'weights', 'values', only(weight), spans),
      ];
    };
    return isNextTo
      ? cells({ count: WINDOW, max: WIDE, besides: titlesOf(g), widest: g.texts }, rows(0, WINDOW))
      : columns(g, rows(start, groupCells.length));
  };
  const [inRow, belowColumns] = [true, false].map((isNextTo) => windows.map((_, w) => window(w, isNextTo)));
  return fitting(row(inRow), stack(belowColumns));
}

/* What it is worth. */

function verdictFrame(t: SlideSparseTrace): StoryFrame {
  const { window, encoded: e } = t;
  const bytesPerRow = windowsPerRowOf(window.cols, e) * KEPT * (weightBytes(e) + SLOT_BYTES);
  const scale = e.valueType === 'i8' ? 4 : 0;
  return verdict({
    title: 'SlideSparse',
    step: t.steps.length,
    timedProduct: 'one product',
    isRelevant: () => false,
    window: {
      rows: window.rows,
      cols: window.cols,
      nnz: window.nnz,
      stored: window.rows * (bytesPerRow + scale),
      dense: window.rows * window.cols * weightBytes(e),
    },
    published: ({ ownTimes }) =>
      ownTimes?.own || ownTimes?.larger
        ? 'WebGPU cannot reach the unit: the times measured here are without it.'
        : null,
    otherMatrices: {
      part: (context) => worthPart(t, context),
      slider: (context) => throughPatterns(context).slider,
    },
  });
}

/** The patterns with timed whole models, and the slider's first pattern. */
const TIMED = ['2:4', SLID_PATTERN] as const;
const DEFAULT = SLID_PATTERN;

const throughPatterns = (context: FrameContext) =>
  sliderThrough(context, 'show times of', TIMED, (pattern) => pattern, DEFAULT);

function worthPart({ encoded: e }: SlideSparseTrace, context: FrameContext): Part {
  const pattern = throughPatterns(context).chosen ?? DEFAULT;
  const lines: readonly RecordedSpeed[] = [
    { id: 'dense', title: 'dense', times: 1, text: '' },
    { id: 'with', title: `${pattern} with the unit`, times: PUBLISHED_PREFILL[pattern], text: 'faster', isOwn: true },
  ];
  const [keptWeights, groupWidth] = pattern.split(':').map(Number);
  const [rightAnswers, rightWithDense] = [pattern, 'dense' as const].map(
    (column) => percent('published right answers', column).text,
  );
  const copying = pattern === DEFAULT ? ', and copying x is added' : '';
  const why = `It multiplies ${keptWeights} / ${groupWidth} = ${keptWeights / groupWidth} as often. It saves less time than that: reading x takes as long as before${copying}.`;
  const bits = e.valueType === 'i8' ? '' : ' (the bytes above: 16-bit)';
  const end =
    pattern === DEFAULT
      ? `${pattern} is faster, and ${rightAnswers} of answers are right; with dense, ${rightWithDense}.`
      : `${pattern} is faster still, but only ${rightAnswers} of answers are right; with dense, ${rightWithDense}.`;
  return withOwnGutter(
    lines.map(({ title }) => title),
    stack(
      note(
        'timed',
        `SlideSparse\u2019s authors timed whole models with 8-bit weights${bits}, reading a prompt, on an ${PUBLISHED_PREFILL.on}.`,
      ),
      againstDense('times', lines, false),
      tightStack(note('why', why), note('end', [ink(end)])),
    ),
  );
}
