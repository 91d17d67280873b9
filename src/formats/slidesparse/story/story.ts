import { stepEncoded, stepPutting } from '../../../core/declared/story/trace.ts';
import { unitSentence } from '../../../core/story/cell-unit.ts';
import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import type { Cell } from '../../../core/story/flow/cell-marks.ts';
import { arrayRow, type CellRow, cells } from '../../../core/story/flow/cells.ts';
import { close, fitting, ink, inGutter, note, row, since, stack, until } from '../../../core/story/flow/parts.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { counterBar, totalOf } from '../../../core/story/flow/counter-bar.ts';
import { ask, tell, type StoryFrame } from '../../../core/story/flow/story-frames.ts';
import { type KnownSpeed, againstDense } from '../../../core/story/flow/verdict.ts';
import { type FrameContext, sliderThrough, VERDICT, wholeFact } from '../../../core/story/frames.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import type { TextRun, Tone } from '../../../core/story/scene.ts';
import { fact, type NamedFact, numberText, type Stated, stated } from '../../../core/story/stated.ts';
import { counted, countText, shapeText, valueText, xText } from '../../../core/story/words.ts';
import { PUBLISHED_A100_SPEEDUPS } from '../../../theory/sliding-windows.ts';
import { KEPT, patternName, STRIDE, WINDOW } from '../params.ts';
import { PUBLISHED_ACCURACY, SLID_PATTERN, PUBLISHED_PREFILL } from '../published.ts';
import { fullestAssignments } from '../slide.ts';
import {
  type Box,
  isGone,
  PLACE_BYTES,
  prefillOf,
  type RowBytes,
  rowSumText,
  rowBytes,
  type SlideSparseTrace,
  type FollowedGroup,
  followedGroup,
  stays,
  weightBytes,
} from './facts.ts';
import {
  columns,
  above,
  takenBy,
  windowBelow,
  type Slow,
  span,
  WIDE,
  places,
  cellOf,
  boxCell,
  placeCell,
  list,
  titlesOf,
  bytes,
  slides,
} from './shared-parts.ts';

/*
 * SlideSparse, told in ten frames and two questions, from top to bottom: a unit skips two zeros of four, so many zeros cost
 * answers, fewer do not fit the unit, windows that overlap make them fit, one group slowly, every placement, a whole row, the
 * product, and what it is worth. The group that is followed stands at the top, and its bytes at the bottom.
 */

/** The frames of SlideSparse’s story on a window. */
export function story(t: SlideSparseTrace): readonly StoryFrame[] {
  const g = followedGroup(t);
  const asked = isPublished(t) ? [howManyStay()] : [];
  const slides = g && g.windows.length > 1 ? [doesNotFit(g), secondWindow(g), howManyFail(g)] : [];
  const group = g ? [neighbours(g), overlap(g), firstWindow(g), ...slides, wholeRow(g), product(g)] : [nothing(t)];
  return [unit(), problem(), ...asked, ...group, worth(t)];
}

/** Only of 6:8 is it known what it keeps. */
const isPublished = ({ encoded: { halfGroup } }: SlideSparseTrace): boolean => patternName(halfGroup) === SLID_PATTERN;

/* 1. The unit. */

const EXAMPLE = { weights: [3, 0, 5, 0, 0, 2, 0, 4], x: [2, 1, 4, 3, 5, 2, 1, 3] } as const;

function unit(): StoryFrame {
  const { weights, x } = EXAMPLE;
  const all = weights.map((weight, i) => weight * x[i]);
  const products = all.filter((product) => product > 0);
  const isKept = (i: number): boolean => all[i] > 0;
  const weight = (i: number): Cell => ({ text: String(weights[i]), look: isKept(i) ? 'lit' : 'empty' });
  const dense = (i: number): Cell => ({ text: String(all[i]), look: 'plain', tone: isKept(i) ? 'neutral' : 'padding' });
  const product = (i: number): Cell | null => (isKept(i) ? { text: String(all[i]), look: 'lit' } : null);
  const spans = [0, WINDOW].map((from) => span(`two of four ${from}`, from, from + WINDOW, 'two of four'));
  const times = (id: string, title: string, to: number, tone: Tone): Bar => {
    return { id, title, parts: [{ to, tone, said: counted(to, 'multiplication') }] };
  };
  return tell({
    id: 'unit',
    chapter: THE_PROBLEM,
    moves: [0],
    say: stated`Some GPUs have a *unit* that skips ${fact('zeros', 2, 'word')} zeros in every ${fact('of', 4, 'word')} numbers.`,
    body: stack(
      note('product', 'A made-up row times x, the input, gives one number. Dense means: zeros are multiplied, too.'),
      cells({ count: all.length, group: WINDOW, widest: ['88'], max: WIDE }, [
        arrayRow('weights', 'row', 'values', weight),
        arrayRow('x', 'x', 'neutral', (i) => ({ text: String(x[i]) })),
        arrayRow('dense', 'dense', 'neutral', dense),
        arrayRow('products', 'the unit', 'format', product, spans),
      ]),
      bars({ id: 'multiplications', max: all.length, height: 1.4 }, [
        times('dense', 'dense', all.length, 'neutral'),
        times('unit', 'the unit', products.length, 'format'),
      ]),
      note('sum', [
        { text: 'Both give ' },
        ink(`${products.join(' + ')} = ${products.reduce((a, b) => a + b)}`),
        { text: '. The pattern is called ' },
        ink('2:4'),
        { text: ': two of four stay, the weights.' },
      ]),
    ),
  });
}

/* 2 and 3. So many zeros cost answers; how many do fewer zeros cost? */

const THE_PROBLEM = 'The problem';
type Pattern = keyof typeof PUBLISHED_ACCURACY;
const PATTERNS = {
  dense: { left: [1, 1, 1, 1, 1, 1, 1, 1], means: 'no zeros forced', tone: 'neutral' },
  '2:4': { left: [1, 0, 1, 0, 0, 1, 0, 1], means: '2 zeros in every 4', tone: 'danger' },
  '6:8': { left: [1, 1, 1, 1, 0, 1, 0, 1], means: '2 zeros in every 8', tone: 'format' },
} as const;
const percent = (name: string, value: number, decimals: number): Stated =>
  stated`${fact(name, value, decimals)}\u202f%`;
const percentText = (value: number): string => `${value.toFixed(1)}\u202f%`;

/** Eight weights of each pattern, and the right answers that it leaves, all on one scale; of one it may be asked. */
function answers(patterns: readonly Pattern[], asked: Pattern | null = null): Part {
  const row = (pattern: Pattern): CellRow =>
    arrayRow(`weights of ${pattern}`, pattern, 'values', (i) =>
      PATTERNS[pattern].left[i] ? { look: 'lit', label: 'a weight' } : { label: 'a zero' },
    );
  const bar = (pattern: Pattern): Bar => {
    const isAsked = pattern === asked;
    const share = PUBLISHED_ACCURACY[pattern];
    const { tone, means } = PATTERNS[pattern];
    const to = isAsked ? PUBLISHED_ACCURACY.dense : share;
    const number: TextRun = { ...ink(isAsked ? '?' : percentText(share)), tone: tone === 'neutral' ? 'ink' : tone };
    const parts = [{ to, tone, look: isAsked ? 'ghost' : 'lit' }] as const;
    return { id: pattern, title: pattern, parts, after: [number, { text: `  ${means}` }] };
  };
  return stack(
    cells({ count: 2 * WINDOW, group: WINDOW, max: WIDE }, patterns.map(row)),
    bars(
      {
        id: 'answers',
        max: PUBLISHED_ACCURACY.dense,
        height: 1.6,
        means: 'right answers of Qwen3-1.7B, a language model',
      },
      patterns.map(bar),
    ),
  );
}

function problem(): StoryFrame {
  const { dense, '2:4': two } = PUBLISHED_ACCURACY;
  return tell({
    id: 'problem',
    chapter: THE_PROBLEM,
    say: stated`Forcing ${fact('zeros', 2)} zeros into every ${fact('of', 4)} numbers: right answers fall from ${fact('right answers in percent, dense', dense, 0)} to *${percent('right answers in percent, 2:4', two, 0)}*.`,
    body: stack(answers(['dense', '2:4']), questions(['dense', '2:4'])),
  });
}

const QUESTIONS = 20;

/** The same of a few questions, to the nearest whole one. */
function questions(patterns: readonly Pattern[]): Part {
  const right = (pattern: Pattern): number => Math.round((QUESTIONS * PUBLISHED_ACCURACY[pattern]) / 100);
  const row = (pattern: Pattern): CellRow =>
    arrayRow(`answers of ${pattern}`, `${pattern}: ${right(pattern)}`, PATTERNS[pattern].tone, (i) =>
      i < right(pattern) ? { text: '\u2713', look: 'lit', label: 'right' } : { label: 'wrong' },
    );
  return close(
    note('questions', `Of ${QUESTIONS} questions that test reasoning, rounded, so many are answered right:`),
    cells({ count: QUESTIONS, max: WIDE, widest: ['\u2713'] }, patterns.map(row)),
  );
}

function howManyStay(): StoryFrame {
  const { dense, '6:8': six } = PUBLISHED_ACCURACY;
  const options = [16, 35, Math.round(six)];
  return ask(
    {
      id: 'question answers',
      chapter: THE_PROBLEM,
      say: stated`${fact('zeros', 2)} zeros in every ${fact('of, 6:8', 8)}: how many answers are right?`,
      body: answers(['dense', '2:4', '6:8'], '6:8'),
    },
    { body: answers(['dense', '2:4', '6:8']) },
    {
      options: options.map((share) => `${share}\u202f%`),
      answer: options.indexOf(Math.round(six)),
      because: stated`${SLID_PATTERN}, six of eight stay: ${percent('right answers in percent, 6:8', six, 0)} right, almost the ${percent('right answers in percent, dense', dense, 0)} of dense.`,
    },
  );
}

/** A cut without weights. */
function nothing(t: SlideSparseTrace): StoryFrame {
  const { rows, cols } = t.window;
  return tell({
    id: 'nothing',
    chapter: THE_IDEA,
    say: stated`This cut holds *no weights*: there is nothing to slide.`,
    body: note('no weights', `${shapeText(rows, cols)}: ${rows * cols === 0 ? 'no cells' : 'all cells are zero'}.`),
  });
}

/* 4. What two zeros in a group leave, and why the unit cannot take it. A cut that is too full is pruned first. */

function neighbours(g: FollowedGroup): StoryFrame {
  const gone = g.cells.filter(isGone).length;
  const pruned = `From here on the story is of this cut pruned, its smallest weights set to zero: ${gone} here, ${countText(g.goneInCut)} in all.`;
  return tell({
    id: 'neighbours',
    chapter: THE_PROBLEM,
    say: neighboursText(g, gone),
    above: above(g, { isUnpruned: gone > 0, lit: gone > 0 ? [] : takenBy(g, () => true) }),
    isJoined: gone === 0,
    body: gone > 0 ? note('pruned', pruned, { tone: 'danger' }) : inFours(g),
  });
}

/** What the unit takes of a group if it is read in fours, and what is too many. */
function inFours(g: FollowedGroup): Part {
  const weights = takenBy(g, () => true);
  const starts = g.cells.flatMap((_, c) => (c % WINDOW === 0 && (c === 0 || c + WINDOW <= g.cells.length) ? [c] : []));
  const fours = starts.map((from) => ({ from, own: weights.filter((c) => c >= from && c < from + WINDOW) }));
  const [fit, over] = [fours.flatMap(({ own }) => own.slice(0, KEPT)), fours.flatMap(({ own }) => own.slice(KEPT))];
  const cell = (c: number): Cell | null => {
    if (over.includes(c)) return { text: '\u00d7', look: 'outline', tone: 'danger' };
    return fit.includes(c) ? { text: '\u2713' } : null;
  };
  const spans = fours.map(({ from, own: { length } }) => {
    const to = Math.min(from + WINDOW, g.cells.length);
    return span(`four ${from}`, from, to, `${counted(length, 'weight')} in four`, length > KEPT ? 'danger' : 'format');
  });
  const kept = g.cells.filter(stays).map(({ value }) => value);
  const takes =
    over.length > 0 ? `two of each four: ${counted(over.length, 'weight')} too many.` : 'two of four: here it can.';
  const four = span('even four', 0, WINDOW, '4 weights in four', 'danger');
  const means = unitSentence(kept, g.unit);
  const width = 2 * g.t.encoded.halfGroup;
  const even = (c: number): Cell => (c < g.cells.length - 2 ? { look: 'plain' } : {});
  return stack(
    columns(g, [arrayRow('fours', 'the unit', 'format', cell, spans)]),
    close(
      note('unit takes', [{ text: 'The unit takes ' }, ink(takes)]),
      means === '' ? null : note('means', `Weights are shown as whole numbers.${means}`, { size: 'small' }),
    ),
    width > WINDOW
      ? close(
          note('group', [
            { text: `${numberText({ value: width, rounding: 'Word' })} columns are a ` },
            ink('group'),
            { text: '. Any two may be zero. So this is possible, too:' },
          ]),
          columns(g, [arrayRow('even', 'possible', 'values', even, [four])]),
        )
      : null,
  );
}

function neighboursText(g: FollowedGroup, gone: number): Stated {
  const { halfGroup } = g.t.encoded;
  const of = fact('columns of a group', 2 * halfGroup);
  const zeros = fact('zeros', 2);
  if (gone > 0) {
    const start = fact('first column of the group', g.columnNumber(g.cells[0].column));
    const end = fact('last column of the group', g.columnNumber(g.cells[g.cells.length - 1].column));
    return stated`Row ${fact('row of the group', g.rowNumber(g.row))}, columns ${start} to ${end} hold ${fact('weights before pruning', g.weights + gone)} weights: *refused*. At most ${fact('weights that may stay', 2 * halfGroup - 2)} may stay.`;
  }
  if (halfGroup === 2) return stated`Here ${zeros} zeros in every ${of}: the unit takes them *as they are*.`;
  const may = stated`*four neighbours may hold more than two weights*`;
  return isPublished(g.t)
    ? stated`${SLID_PATTERN} loses few right answers. But ${may}.`
    : stated`But with ${zeros} zeros in every ${of}, ${may}.`;
}

/* 5. The idea. */

const THE_IDEA = 'The idea';

function overlap(g: FollowedGroup): StoryFrame {
  const { windows, cells: own } = g;
  const count = windows.length;
  const shared =
    count > 1 && own.length > STRIDE ? 'Neighbouring windows share two columns.' : 'Each column is in one window.';
  const room = count > 1 ? ` ${count} \u00d7 ${KEPT} = ${count * KEPT}.` : '';
  return tell({
    id: 'overlap',
    chapter: THE_IDEA,
    moves: windows.map(() => (count <= 3 ? 900 : 2400 / count)),
    say:
      count === 1
        ? stated`One window covers each group. It holds two weights: *all it has*.`
        : stated`${fact('windows', count, 'Word')} windows overlap. Each holds two weights: room for *all ${fact('room of all windows', KEPT * count, 'word')}*.`,
    above: above(g),
    isJoined: true,
    body: stack(
      close(
        windows.map((_, w) =>
          since(
            w,
            windowBelow(g, w, () => ({ look: 'plain' })),
          ),
        ),
        note('shared', shared, { size: 'small' }),
        list(g, { stored: 0 }),
      ),
      since(count - 1, note('fits', `Each fits the unit: four columns, two weights.${room}`)),
    ),
    below: bytes(
      g,
      0,
      `A group, dense: ${counted(own.length, 'column')} \u00d7 ${counted(weightBytes(g.t.encoded), 'byte')}. Nothing is stored yet.`,
    ),
  });
}

/* 6 to 8. One group, slowly. */

const SLOWLY = 'One group';

/** The windows and what is stored, in one place in all pictures of the group. */
function slow(g: FollowedGroup, now: Slow): Part {
  const empty = g.windows.some(({ takes }) => takes < KEPT) ? ' Empty boxes hold a 0.' : '';
  const means = note('stored means', `Places: a window\u2019s columns, from 0.${empty}`, { size: 'small' });
  return close(places(g, now), means, list(g, now));
}

/** '2 × 2 bytes + 2 × ¼ byte = 4.5 bytes' of so many windows. */
function sizeText({ t }: FollowedGroup, windows: number): string {
  const each = weightBytes(t.encoded);
  const boxes = KEPT * windows;
  return `${boxes} \u00d7 ${counted(each, 'byte')} + ${boxes} \u00d7 \u00bc byte = ${boxes * (each + PLACE_BYTES)} bytes.`;
}

function firstWindow(g: FollowedGroup): StoryFrame {
  const window = fact('first window', 0);
  const { takes } = g.windows[0];
  const its = g.third === null ? 'its two weights' : 'its first two weights';
  const [before, after] = [0, 1].map((stored) => ({ upTo: 0, stored, lit: 0 }));
  return tell({
    id: 'first window',
    chapter: SLOWLY,
    step: slides(g, 0),
    moves: [900, 700],
    say:
      takes === 0
        ? stated`Window ${window} finds no weight: both of its boxes stay *empty*.`
        : takes === 1
          ? stated`Window ${window} takes its only weight. The other box stays *empty*.`
          : stated`Window ${window} takes ${its} and notes their *places*.`,
    above: above(g, { lit: takenBy(g, (w) => w === 0) }),
    isJoined: true,
    body: until(1, slow(g, before), slow(g, after)),
    below: until(1, bytes(g, 0, 'Two boxes.'), bytes(g, 1, `A place takes 2 bits: \u00bc byte. ${sizeText(g, 1)}`)),
  });
}

/** How often a window of the whole matrix meets a weight that it has no room for, after such weights of a group. */
function slidesInAll(context: FrameContext, ofGroup: Stated | string = ''): Stated | null {
  const often = wholeFact(context, 'slides', 'count', ['weight', 'weights']);
  const over = wholeFact(context, 'groups that are refused', 'count', ['group is', 'groups are']);
  const groups = wholeFact(context, 'groups with weights');
  if (!often || !over || !groups || often.value + over.value === 0) return null;
  const all = stated`${ofGroup}Whole matrix: ${often} slid on`;
  if (over.value > 0) return stated`${all}; ${over} refused.`;
  const mean: NamedFact = { ...fact('slides a group', often.value / groups.value, 'mean'), scope: 'matrix' };
  return stated`${all}, ${mean} a group.`;
}

function nothingSlides({ slidesInCut }: FollowedGroup, context: FrameContext): Stated {
  const slides = wholeFact(context, 'slides', 'Word', ['weight', 'weights']);
  // What is refused is pruned first: of that only the cut is known.
  const isAsGiven = wholeFact(context, 'groups that are refused')?.value === 0;
  if (slides?.value === 0 && isAsGiven) return stated`*${slides} of the matrix slide on*: no window meets a third.`;
  return stated`*Nothing slides on* in this ${slidesInCut ? 'group' : 'cut'}: no window meets a third weight.`;
}

/** The odd case; where it does not occur, the frame says so of the cut. */
function doesNotFit(g: FollowedGroup): StoryFrame {
  const { third } = g;
  return tell({
    id: 'does not fit',
    chapter: SLOWLY,
    step: slides(g, 0),
    moves: [700, 700],
    say: (context) =>
      third === null
        ? nothingSlides(g, context)
        : stated`The third weight *does not fit*: the window has room for two.`,
    ...(third === null && { also: slidesInAll }),
    above: above(g, third === null ? {} : { lit: [third], ring: third }),
    isJoined: true,
    body: stack(
      slow(g, { upTo: 0, stored: 1, ring: third }),
      third === null
        ? null
        : since(1, note('lost', 'No weight may be lost: it slides on to window 1.', { tone: 'danger', strong: true })),
    ),
    below: bytes(g, 1, third === null ? 'Two weights at most in a window.' : 'Both boxes of window 0 are full.'),
  });
}

/** What the windows after the first two take, and what became of the weights of the group. */
function lastText({ windows, weights, lost }: FollowedGroup): readonly TextRun[] {
  const count = windows.length;
  const taken = windows.slice(2).reduce((sum, { takes }) => sum + takes, 0);
  const [who, s] = count === 3 ? ['Window 2', 's'] : [`Windows 2 to ${count - 1}`, ''];
  const does = taken === 0 ? `find${s} no more` : `take${s} the last ${taken === 1 ? 'one' : taken}`;
  const empty = KEPT * count - weights;
  const rest = empty > 0 ? `; ${counted(empty, 'box holds a 0', 'boxes hold a 0')}` : '';
  const all = counted(weights, 'weight');
  const end = lost > 0 ? `Out of range: ${lost} of ${all}.` : `${all}, none lost${rest}.`;
  return [{ text: count > 2 ? `${who} ${does}. ` : '' }, ink(end)];
}

function secondWindow(g: FollowedGroup): StoryFrame {
  const { third, windows } = g;
  const window = fact('second window', 1);
  const { takes, start } = windows[1];
  const count = windows.length;
  const next = takes === 0 ? 'finds no more' : `takes the next ${takes === 1 ? 'one' : 'two'}`;
  const before = { upTo: 1, stored: 2, ring: third };
  const after = { upTo: count - 1, stored: count, lit: 1, ring: third };
  const rule = note('rule', 'The rule: from left to right, at most two weights a window.');
  return tell({
    id: 'second window',
    chapter: SLOWLY,
    step: slides(g, count - 1),
    moves: [900, 900],
    say:
      third === null
        ? stated`Slide by two: *window ${window}* ${next}.`
        : stated`Window ${window} takes it. Places count inside the window: *column ${fact('column', g.columnNumber(g.cells[third].column))} is place ${fact('place', third - start)}*.`,
    above: above(g, { lit: takenBy(g, (w) => w === 1), ring: third }),
    isJoined: true,
    body: stack(until(1, slow(g, before), slow(g, after)), since(1, close(note('none lost', lastText(g)), rule))),
    below: until(1, bytes(g, 2, sizeText(g, 2)), bytes(g, count, sizeText(g, count))),
  });
}

/* Question: does every placement fit? All of them, filled by the encoder. */

/** Cells of placements that are drawn. */
const DRAWN = 280;

function placements(g: FollowedGroup, isAnswered: boolean): Part {
  const { all } = fullestAssignments(g.t.encoded.halfGroup);
  const width = all[0].length;
  const shown = all.slice(0, Math.floor(DRAWN / width));
  const own = shown.findIndex((way) => way.every((window, c) => window >= 0 === (g.cells[c]?.by ?? -1) >= 0));
  const cell = (i: number): Cell => {
    const [way, c] = [Math.floor(i / width), i % width];
    const window = shown[way][c];
    const id = `way ${way}.${c}`;
    if (window < 0) return { id, look: 'plain', tone: 'neutral', label: `column ${c}: zero` };
    if (!isAnswered) return { id, look: own < 0 || way === own ? 'lit' : 'plain', label: `column ${c}: a weight` };
    const label = `column ${c}: window ${window} takes it`;
    const tone = way === own ? 'values' : 'format';
    return { id, text: String(window), tone, look: window === 1 ? 'lit' : 'plain', label };
  };
  const blue = own < 0 ? '' : `; blue: row ${g.rowNumber(g.row)}`;
  const [from, to, end] = [2, 4, 5].map((c) => g.columnNumber(g.cells[0].column + c));
  const means = isAnswered
    ? `Digit: its window; dark: window 1${blue}. Before the third weight stand two weights, and at most two zeros. So it is in column ${from} to ${to}, the fourth at most in ${end}: window 1 holds both. The other windows do likewise.`
    : `Each ${width} boxes are one case: blue is a weight, grey a zero. ${own < 0 ? '' : 'The dark case is the group above. '}Do all fit?`;
  const more = shown.length < all.length ? ` ${shown.length} of ${all.length} cases are shown.` : '';
  const look = { group: width, whole: Math.ceil(shown.length / 4), lines: 30, max: 1.7, widest: ['0'] };
  const drawn = cells({ count: shown.length * width, ...look }, [{ id: 'ways', tone: 'values', cell }]);
  return stack(drawn, note('proof', means + more));
}

function howManyFail(g: FollowedGroup): StoryFrame {
  const { t, windows } = g;
  const width = 2 * t.encoded.halfGroup;
  const { all, failures } = fullestAssignments(t.encoded.halfGroup);
  const options = ['1', '6', 'none'];
  const count = fact('ways', all.length);
  return ask(
    {
      id: 'question ways',
      chapter: SLOWLY,
      step: slides(g, windows.length - 1),
      say: stated`${fact('weights', width - 2)} weights can lie in ${fact('columns', width)} columns in ${count} ways. How many do not fit?`,
      above: above(g),
      body: placements(g, false),
    },
    { body: placements(g, true) },
    {
      options,
      answer: options.indexOf(failures === 0 ? 'none' : String(failures)),
      because: stated`In all *${count} cases* the ${fact('windows', windows.length, 'word')} windows hold all ${fact('weights', width - 2, 'word')}.`,
    },
  );
}

/* 9. The whole row. */

function wholeRow(g: FollowedGroup): StoryFrame {
  const moved = g.cells.filter(({ by }, c) => by > 0 && c < STRIDE * (by + 1)).length;
  const ofGroup = stated`Group above: ${fact('weights of the group that move', moved, 'word', ['weight', 'weights'])} slid on. `;
  const also = (context: FrameContext): Stated | null => (g.third === null ? null : slidesInAll(context, ofGroup));
  return {
    id: 'whole row',
    chapter: 'One row',
    step: stepEncoded(g.t),
    moves: [1200],
    say: (context) => rowText(g, rowBytes(g, context)),
    show: (context) => {
      const bytes = rowBytes(g, context);
      const below = counterBar({ title: 'row', ...bytes, said: rowSumText(g, bytes) });
      const all = also(context);
      return { above: above(g), body: stack(rowPart(g, bytes), all && note('whole matrix', all.text)), below };
    },
    also,
  };
}

function rowText({ t }: FollowedGroup, { groups, parts, dense }: RowBytes): Stated {
  const taken = fact('bytes of the row', totalOf(parts));
  const asDense = fact('bytes of the dense row', dense);
  const each = fact('windows', t.encoded.halfGroup - 1, 'word', ['window', 'windows']);
  const who = groups === 1 ? stated`The row:` : stated`Each group has ${each}. ${fact('groups', groups)} groups:`;
  const than = taken.value < dense ? stated` instead of ${asDense}` : stated`, ${asDense} if dense`;
  return stated`${who} *${taken} bytes*${than}.`;
}

/** Weights of some groups of the row, and what is stored of them: as many as have room on a line, up to four. */
function rowPart(g: FollowedGroup, bytes: RowBytes): Part {
  const [few, many] = [2, 4].map((groups) => groupsPart(g, bytes, Math.min(groups, bytes.shown)));
  return fitting(many, few);
}

/** So many groups, the one at the top among them. */
function groupsPart(g: FollowedGroup, bytes: RowBytes, groups: number): Part {
  const { row, ofRow } = g;
  const [width, perGroup] = [2 * g.t.encoded.halfGroup, KEPT * g.windows.length];
  const first = Math.max(0, Math.min(g.group, bytes.shown - groups));
  const own = ofRow.cells.slice(first * width, (first + groups) * width);
  const boxes = ofRow.boxes.slice(first * perGroup, (first + groups) * perGroup);
  const look = (group: number): 'lit' | 'plain' => (first + group === g.group ? 'lit' : 'plain');
  const weight = (i: number): Cell => {
    const { by, column, value } = own[i];
    const id = cellName(row, column);
    const label = `row ${g.rowNumber(row)}, column ${g.columnNumber(column)}: ${by < 0 ? 0 : valueText(value)}`;
    return { id: `row ${id}`, label, about: [id], look: by < 0 ? 'empty' : look(Math.floor(i / width)) };
  };
  const from = (g.group - first) * width;
  const seen = { ...span('slow group', from, from + g.cells.length, 'the group above'), above: true };
  const box = (i: number): Cell => {
    return { ...boxCell(g, boxes[i], look(Math.floor(i / perGroup))), from: `row ${cellOf(g, boxes[i])}` };
  };
  const place = (i: number): Cell => placeCell(g, boxes[i], look(Math.floor(i / perGroup)));
  const windows = boxes.flatMap((_, i) =>
    i % KEPT === 0 ? [span(`window of ${i}`, i, i + KEPT, String((i % perGroup) / KEPT))] : [],
  );
  const all = { whole: groups, max: WIDE, lines: 4 };
  // Beside so long a title there is no room on a phone: all stand above, and numbers do not fill their boxes.
  const shown = groups < bytes.groups ? ` ${groups} of ${bytes.groups} groups are shown.` : '';
  return stack(
    cells({ count: own.length, group: width, besides: titlesOf(g), ...all }, [
      arrayRow('row', 'weights', 'values', weight, [seen]),
    ]),
    cells({ count: boxes.length, group: perGroup, widest: g.texts, besides: ['weights that are stored'], ...all }, [
      arrayRow('stored weights', 'stored', 'values', box),
      arrayRow('stored places', 'places', 'indices', place, windows),
    ]),
    note('marks', `Brackets: the windows of ${groups > 1 ? 'each' : 'the'} group.${shown}`),
  );
}

/* 10. The product: every window gets its own four numbers of x. */

function product(g: FollowedGroup): StoryFrame {
  const { t, windows, cells: own } = g;
  const [width, products] = [2 * t.encoded.halfGroup, KEPT * windows.length];
  const copied = windows.reduce((sum, { start }) => sum + Math.max(0, Math.min(WINDOW, own.length - start)), 0);
  const copies = fact('copies of x', copied);
  const times = fact('multiplications', products);
  const dense = fact('multiplications, dense', own.length);
  const gain = `${width}/${products} = ${(width / products).toFixed(2).replace(/\.00$/, '')} times`;
  const laid = stated`x ${copies.value > own.length ? 'is laid out' : 'stays'} ${copies} wide;`;
  const x = (c: number): Cell => {
    const id = elementName('x', own[c].column);
    return { id, text: xText(t.x[own[c].column]), about: [id] };
  };
  return tell({
    id: 'product',
    chapter: 'The product',
    step: Math.max(0, ...own.map(({ column }) => stepPutting(t, g.row, column))), // bounded: a group
    moves: [1000, 900, 900],
    say:
      times.value < dense.value
        ? stated`${laid} the unit multiplies *${times} times, not ${dense}*.`
        : stated`${laid} the unit multiplies *${times} times*, dense ${dense}.`,
    above: above(g),
    isJoined: true,
    body: stack(
      columns(g, [arrayRow('x', 'x', 'neutral', x)]),
      laidOut(g),
      since(1, note('sum', sumText(g))),
      since(
        2,
        note('ceiling', [
          { text: `${counted(products, 'multiplication')} for ${counted(width, 'column')}: about ` },
          ink(gain),
          { text: ' as fast as dense.' },
          { text: copied > own.length ? ` The price: x is written ${copied} wide, once for all rows.` : '' },
        ]),
      ),
    ),
  });
}

/** What each window adds, with the weights as they are written above: so it adds up to the eye. */
function sumsOf({ t, unit, windows }: FollowedGroup): readonly number[] {
  const written = (value: number): number => {
    const whole = Math.round(Math.abs(value) * unit.perOne);
    return whole === 0 || whole >= 1000 ? value * unit.perOne : Math.sign(value) * whole;
  };
  return windows.map(({ boxes }) =>
    boxes.reduce((sum, { isEmpty, value, column }) => sum + (isEmpty ? 0 : written(value) * t.x[column]), 0),
  );
}

function sumNumber(sum: number): string {
  const isShort = Number.isInteger(2 * sum) && Math.abs(sum) < 1e5;
  return isShort ? String(sum).replace('-', '\u2212') : valueText(sum);
}

function sumText(g: FollowedGroup): readonly TextRun[] {
  const total = sumNumber(sumsOf(g).reduce((a, b) => a + b, 0));
  return [
    { text: 'Together ' },
    ink(`${total}${g.unit.name === null ? '' : ` ${g.unit.name}`}`),
    { text: '. Dense gives the same.' },
  ];
}

/** x as the unit reads it, window by window, with the weights that it meets; the other numbers are skipped. */
function laidOut(g: FollowedGroup): Part {
  const { t, windows, cells: own } = g;
  const window = (sum: number, w: number): Part => {
    const { start, boxes } = windows[w];
    const boxAt = (c: number): Box | undefined =>
      boxes.find(({ isEmpty, column }) => !isEmpty && column === own[start + c]?.column);
    const copy = (c: number): Cell => {
      const id = `copy ${w * WINDOW + c}`;
      if (start + c >= own.length) return { id, look: 'ghost', label: 'beyond the cut' };
      const { column } = own[start + c];
      const name = elementName('x', column);
      const label = `x of column ${g.columnNumber(column)}${boxAt(c) ? '' : ', skipped here'}`;
      const cell = { id, text: xText(t.x[column]), from: name, about: [name], label };
      return boxAt(c) ? { ...cell, tone: 'format', look: 'lit' } : cell;
    };
    const weight = (c: number): Cell | null => {
      const box = boxAt(c);
      return box ? boxCell(g, box, 'lit') : null;
    };
    const adds = span(`x of window ${w}`, 0, WINDOW, `window ${w} adds ${sumNumber(sum)}`);
    return cells({ count: WINDOW, max: WIDE, besides: titlesOf(g), widest: g.texts }, [
      arrayRow(`laid out ${w}`, 'x, laid out', 'neutral', copy),
      arrayRow(`multiplied ${w}`, 'weights', 'values', weight, [adds]),
    ]);
  };
  return row(sumsOf(g).map(window));
}

/* What it is worth. */

function worth(t: SlideSparseTrace): StoryFrame {
  return {
    id: VERDICT,
    chapter: 'So what',
    step: t.steps.length,
    moves: [0, 1200],
    say(context) {
      const { chosen = OWN } = throughPatterns(context);
      const max = fact('published times as fast, at most', PUBLISHED_PREFILL[chosen.pattern].max, 2);
      if (chosen === OWN) return stated`*Pays only with the unit*: up to ${max} times as fast. Without it, slower.`;
      const right = fact('published right answers', PUBLISHED_ACCURACY[chosen.pattern], 1);
      return stated`With the unit *up to ${max} times as fast*, but only ${right}\u202f% of answers are right.`;
    },
    show: (context) => ({ body: worthPart(t, context) }),
    slider: (context) => throughPatterns(context).slider,
  };
}

/** The patterns of which whole models were timed. */
const TIMED = [
  { pattern: '2:4', halfGroup: 2 },
  { pattern: SLID_PATTERN, halfGroup: 4 },
] as const;
const OWN = TIMED[1];
const TIMED_UNIT = PUBLISHED_A100_SPEEDUPS.get('2:4') ?? 2;

const throughPatterns = (context: FrameContext) =>
  sliderThrough(context, 'show times of', TIMED, ({ pattern }) => pattern, OWN);

function worthPart(t: SlideSparseTrace, context: FrameContext): Part {
  const { pattern, halfGroup } = throughPatterns(context).chosen ?? OWN;
  const { times, dense, own, tokens, card, model } = prefillOf(pattern);
  const { min, max } = PUBLISHED_PREFILL[pattern];
  const lines: readonly KnownSpeed[] = [
    { id: 'dense', title: 'dense, on the same GPU', times: 1, said: '' },
    {
      id: 'with',
      title: `${pattern}, with the unit`,
      times: max,
      minTimes: min,
      said: `${min} to ${max} times as fast`,
      below: `${PUBLISHED_PREFILL.on} GPU: whole language models read a prompt`,
      isOwn: true,
    },
    {
      id: 'without',
      title: `${pattern}, without the unit`,
      times,
      said: times < 1 ? 'slower than dense' : 'faster',
      below: `${card} GPU: no browser can use its unit`,
      isOwn: true,
      isBad: times < 1,
    },
  ];
  const [width, laid] = [2 * halfGroup, WINDOW * (halfGroup - 1)];
  const [cost, isSlid] = [laid / TIMED_UNIT, laid > width];
  const best = `${laid} / ${TIMED_UNIT} = ${cost.toFixed(1)}. Dense costs ${width}: at best ${width} / ${cost.toFixed(1)} = ${(width / cost).toFixed(2)}.`;
  const alone = `by counting, it halves ${laid} columns to ${laid / KEPT}. The unit alone, timed on 2:4, is ${TIMED_UNIT} times as fast`;
  const why = note('why', [ink('With the unit: '), { text: `${alone}${isSlid ? `: ${best}` : '.'}` }]);
  const all = `all ${laid} columns are multiplied, zeros too: `;
  const rest = `the rest ${(dense.ms - dense.productMs).toFixed(1)}, then ${(own.ms - own.productMs).toFixed(1)}`;
  const work = `${dense.productMs.toFixed(1)} ms of dense become ${own.productMs.toFixed(1)}; ${rest}: ${(1 / times).toFixed(2)} in all.`;
  const without = note('without', [ink('Without it: '), { text: all + (isSlid ? work : 'no work is saved.') }]);
  const group = `: a group takes ${(laid / KEPT) * (1 + PLACE_BYTES)} of ${width} bytes`;
  const source = `Both with 1 byte a weight${weightBytes(t.encoded) === 1 ? '' : group}. Without the unit: sizes of ${model}, a language model; ${countText(tokens)} tokens, pieces of words.`;
  return inGutter(
    lines.map(({ title }) => title),
    stack(
      againstDense('times', lines, false),
      since(1, close(why, without)),
      note('source', source, { size: 'small' }),
    ),
  );
}
