import type { Frame, FrameContext } from '../../../core/story/frames.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import type { Trace } from '../../../core/story/trace.ts';
import { KEPT, patternName } from '../params.ts';
import { PUBLISHED_ACCURACY, PUBLISHED_PATTERN, PUBLISHED_PREFILL } from '../published.ts';
import { coveredTwice, type SlowGroup, slowGroup } from './script-group.ts';
import { drawingOf } from './script-parts.ts';
import {
  answersPicture,
  keptMarks,
  problemPicture,
  recordedProduct,
  type VerdictPart,
  verdictPicture,
} from './script-problem.ts';
import { productPart, productPicture } from './script-product.ts';
import { groupsOfRow, rowBytes, rowPicture } from './script-row.ts';
import { neighbourMarks, type NeighboursPart, overlapPicture, slowPicture } from './script-slow.ts';
import { ways, waysPicture } from './script-ways.ts';
import type { SlideSparseStep, SlideSparseTrace } from './trace.ts';

/** The directed story: why zeros are forced into a model, one group slowly, the whole row, the product, the verdict. */
export function frames(trace: Trace<SlideSparseStep>): readonly Frame[] {
  const t = trace as SlideSparseTrace;
  const group = slowGroup(t);
  const found = [problem(t), question(t), ...(group ? groupFrames(t, group) : [nothing(t)]), verdict(t)];
  return found.filter((frame) => frame !== null);
}

function groupFrames(t: SlideSparseTrace, group: SlowGroup): readonly (Frame | null)[] {
  return [
    neighbours(t, group),
    overlap(t, group),
    firstWindow(t, group),
    doesNotFit(t, group),
    secondWindow(t, group),
    lastWindows(t, group),
    howManyFail(t, group),
    wholeRow(t, group),
    product(t, group),
  ];
}

/** The number of the first step that is such a one, as the player counts them: 0 is before all of them. */
function stepOf(t: SlideSparseTrace, is: (detail: SlideSparseStep) => boolean): number {
  return t.steps.findIndex(({ detail }) => is(detail)) + 1;
}

/** The step at which a window of the group takes its weights. */
const slides = (t: SlideSparseTrace, group: SlowGroup, window: number): number =>
  stepOf(t, (d) => d.kind === 'slide' && d.group === group.index && d.window === group.windows[window].window);

/** The last step before anything slides. */
const beforeSliding = (t: SlideSparseTrace): number => stepOf(t, (d) => d.kind === 'slide' || d.kind === 'nothing') - 1;

const percent = (name: string, value: number, decimals: number): Stated =>
  stated`${fact(name, value, decimals)}\u202f%`;

function problem(t: SlideSparseTrace): Frame {
  const { dense, '2:4': two } = PUBLISHED_ACCURACY;
  const before = fact('right answers in percent, dense', dense, 0);
  return {
    id: 'problem',
    chapter: 'The problem',
    step: stepOf(t, ({ kind }) => kind === 'accuracy'),
    sentence: () =>
      stated`Forcing ${fact('zeros', 2)} zeros into every ${fact('of', 4)} weights: right answers fall from ${before} to *${percent('right answers in percent, 2:4', two, 0)}*.`,
    moves: [0],
    draw: (_, { layout }) => problemPicture(layout),
  };
}

/** Only 6:8 was published. */
function question(t: SlideSparseTrace): Frame | null {
  if (patternName(t.params.halfGroup) !== PUBLISHED_PATTERN) return null;
  const { dense, '6:8': six } = PUBLISHED_ACCURACY;
  const options = [16, 35, Math.round(six)];
  return {
    id: 'question answers',
    chapter: 'The problem',
    step: stepOf(t, ({ kind }) => kind === 'accuracy'),
    sentence: () => stated`${fact('zeros', 2)} zeros in every ${fact('of', 8)}: how many answers stay right?`,
    moves: [400, 900],
    draw: (picture, { layout }) => answersPicture(layout, picture === 1),
    question: {
      options: options.map((share) => `${share}\u202f%`),
      answer: options.indexOf(Math.round(six)),
      because: stated`${percent('right answers in percent, 6:8', six, 0)}: almost as many as with no zeros, ${percent('right answers in percent, dense', dense, 0)}.`,
    },
  };
}

/** A cut without weights. */
function nothing(t: SlideSparseTrace): Frame {
  return {
    id: 'nothing',
    chapter: 'The idea',
    step: beforeSliding(t),
    sentence: () => stated`This cut holds *no weights*: there is nothing to slide.`,
    moves: [600],
    draw: (_, { layout }) => problemPicture(layout),
  };
}

/** What two zeros in a group leave, and why the unit cannot take it. A cut that is too full is pruned first. */
function neighbours(t: SlideSparseTrace, group: SlowGroup): Frame {
  const { halfGroup } = t.params;
  const zeros = fact('zeros', 2);
  const of = fact('columns of a group', 2 * halfGroup);
  const gone = t.groups.reduce((sum, { windowOf }) => sum + windowOf.filter((by) => by < 0).length, 0);
  const asTheyAre = halfGroup === 2;
  const sentence = (): Stated => {
    if (gone > 0) {
      const allowed = stated`at most ${fact('weights that may stay', 2 * halfGroup - 2)} of ${of} stay.`;
      const lead = stated`*${fact('weights that go', gone, 'count', ['weight becomes', 'weights become'])} zero*: ${allowed}`;
      return asTheyAre ? lead : stated`${lead} Four neighbours may hold three.`;
    }
    if (asTheyAre) return stated`Here ${zeros} zeros in every ${of}: the unit takes them *as they are*.`;
    const but = 'But four neighbours may hold three weights.';
    if (patternName(halfGroup) !== PUBLISHED_PATTERN) return stated`Here only ${zeros} zeros in every ${of}. ${but}`;
    return stated`${zeros} zeros in every ${of} keep *${percent('right answers in percent, 6:8', PUBLISHED_ACCURACY['6:8'], 1)}*. ${but}`;
  };
  const parts: readonly NeighboursPart[] = gone > 0 ? ['full', 'weights', 'unit'] : ['none', 'weights', 'unit'];
  return {
    id: 'neighbours',
    chapter: 'The problem',
    step: beforeSliding(t),
    sentence,
    moves: gone > 0 ? [600, 900, 600] : [900, 600, 600],
    draw: (picture, { layout }) =>
      drawingOf(layout, [...keptMarks(layout, t), ...neighbourMarks(layout, group, parts[picture])]),
  };
}

function overlap(t: SlideSparseTrace, group: SlowGroup): Frame {
  const count = group.windows.length;
  const windows = fact('windows', count, 'Word');
  const room = fact('room of all windows', KEPT * count, 'word');
  return {
    id: 'overlap',
    chapter: 'The idea',
    step: beforeSliding(t),
    sentence: () =>
      count === 1
        ? stated`One window covers each group. It holds two weights: *all it has*.`
        : stated`${windows} windows overlap. Each holds two weights: room for *all ${room}*.`,
    moves: Array.from({ length: count }, () => (count <= 3 ? 900 : 2400 / count)),
    draw: (picture, { layout }) => overlapPicture(layout, group, picture + 1),
  };
}

const SLOWLY = 'One group, slowly';
/** ms of a weight that falls, of places that are noted, and of a window that slides */
const FALLS = 700;
const NOTES = 400;
const SLIDES = 900;

function firstWindow(t: SlideSparseTrace, group: SlowGroup): Frame {
  const window = fact('window', 0);
  const { takes } = group.windows[0];
  const sentence = (): Stated => {
    if (takes === 0) return stated`Window ${window} finds no weight: both of its boxes stay *empty*.`;
    if (takes === 1) return stated`Window ${window} takes its only weight. The other box stays *empty*.`;
    const its = group.third === null ? 'its two weights' : 'its first two weights';
    return stated`Window ${window} takes ${its} and notes their *places*.`;
  };
  const [wide, bytes] = t.params.valueType === 'f16' ? ['2 × 2 bytes', 4.5] : ['2 × 1 byte', 2.5];
  const note = `${wide} + 2 × ¼ byte = ${bytes} bytes.`;
  const stored = [
    { values: 1, places: 0 },
    { values: 2, places: 0 },
    { values: 2, places: 2 },
  ] as const;
  return {
    id: 'first window',
    chapter: SLOWLY,
    step: slides(t, group, 0),
    sentence,
    moves: [FALLS, FALLS, NOTES],
    draw: (picture, { layout }) =>
      slowPicture(layout, group, { window: 0, dimBelow: 0, ...stored[picture], ...(picture === 2 && { note }) }),
  };
}

/** A third weight that window 0 covers but has no room for; null where no group has one. */
function doesNotFit(t: SlideSparseTrace, group: SlowGroup): Frame | null {
  if (group.third === null || group.windows.length < 2) return null;
  return {
    id: 'does not fit',
    chapter: SLOWLY,
    step: slides(t, group, 0),
    sentence: () => stated`The third *does not fit*: the window has room for two.`,
    moves: [600, 600],
    draw: (picture, { layout }) =>
      slowPicture(layout, group, {
        window: 0,
        values: 2,
        places: 2,
        dimBelow: 1,
        third: picture === 0 ? 'falls' : 'hangs',
      }),
  };
}

function secondWindow(t: SlideSparseTrace, group: SlowGroup): Frame | null {
  const { third, windows, cells } = group;
  if (windows.length < 2) return null;
  const window = fact('window', 1);
  const { takes, start } = windows[1];
  const hasOdd = third !== null;
  const sentence = (): Stated => {
    if (third === null) {
      const next = takes === 0 ? 'finds no more' : `takes the next ${takes === 1 ? 'one' : 'two'}`;
      return stated`Slide by two: *window ${window}* ${next}.`;
    }
    const column = fact('column', cells[third].column);
    return stated`Window ${window} takes it. Places count inside the window: *column ${column} is place ${fact('place', third - start)}*.`;
  };
  const stored = [
    { values: 2, places: 2 },
    ...(hasOdd ? [{ values: 2, places: 2 }] : []),
    { values: 3, places: 3 },
    { values: 4, places: 4 },
  ];
  return {
    id: 'second window',
    chapter: SLOWLY,
    step: slides(t, group, 1),
    sentence,
    moves: [SLIDES, ...(hasOdd ? [NOTES] : []), hasOdd ? 500 : FALLS, FALLS],
    draw: (picture, { layout }) =>
      slowPicture(layout, group, { window: 1, dimBelow: 1, isMarked: hasOdd && picture > 0, ...stored[picture] }),
  };
}

/** What became of the weights of the group. */
function noneLost({ weights, lost, windows }: SlowGroup): Stated {
  const all = fact('weights of the group', weights, 'word');
  if (lost > 0) return stated`Out of range: ${fact('weights out of range', lost, 'word')} of ${all}`;
  const empty = KEPT * windows.length - weights;
  const boxes = fact('empty boxes', empty, 'word', ['box', 'boxes']);
  const none = stated`${fact('weights of the group', weights, 'Word', ['weight', 'weights'])}, none lost`;
  return empty === 0 ? none : stated`${none}; ${boxes} empty`;
}

function lastWindows(t: SlideSparseTrace, group: SlowGroup): Frame | null {
  const { windows } = group;
  if (windows.length < 2) return null;
  const last = windows.length - 1;
  const base = { id: 'last windows', chapter: SLOWLY, step: slides(t, group, last) };
  if (windows.length === 2)
    return {
      ...base,
      sentence: () => stated`*${noneLost(group)}*.`,
      moves: [NOTES],
      draw: (_, { layout }) => slowPicture(layout, group, { window: 1, dimBelow: 1, values: 4, places: 4 }),
    };
  const taken = windows.slice(2).reduce((sum, { takes }) => sum + takes, 0);
  const isOne = windows.length === 3;
  const who = isOne
    ? stated`Window ${fact('window', 2)}`
    : stated`Windows ${fact('first window', 2)} ${last === 3 ? 'and' : 'to'} ${fact('last window', last)}`;
  const many = fact('weights of the last windows', taken, 'word');
  const takes = isOne ? 'takes' : 'take';
  const does = taken === 0 ? stated`${isOne ? 'finds' : 'find'} no more` : stated`${takes} the last ${many}`;
  const pictures = isOne
    ? [
        { window: 2, values: 4, places: 4 },
        { window: 2, values: 5, places: 4 },
        { window: 2, values: 6, places: 4 },
        { window: 2, values: 6, places: 6 },
      ]
    : windows.slice(2).flatMap((_, i) => [
        { window: i + 2, values: KEPT * (i + 2), places: KEPT * (i + 2) },
        { window: i + 2, values: KEPT * (i + 3), places: KEPT * (i + 3) },
      ]);
  return {
    ...base,
    sentence: () => stated`${who} ${does}. *${noneLost(group)}*.`,
    moves: isOne ? [SLIDES, FALLS, FALLS, NOTES] : pictures.map(() => 500),
    draw: (picture, { layout }) =>
      slowPicture(layout, group, { ...pictures[picture], dimBelow: pictures[picture].window }),
  };
}

/** Without windows that overlap there is nothing to ask. */
function howManyFail(t: SlideSparseTrace, group: SlowGroup): Frame | null {
  if (group.windows.length < 2) return null;
  const width = 2 * t.params.halfGroup;
  const { all, failures } = ways(t.params);
  const options = ['1', '6', 'none'];
  const answer = options.indexOf(failures === 0 ? 'none' : String(failures));
  const count = fact('ways', all.length);
  return {
    id: 'question ways',
    chapter: SLOWLY,
    step: slides(t, group, group.windows.length - 1),
    sentence: () =>
      stated`${fact('weights', width - 2)} weights can lie in ${fact('columns', width)} columns in ${count} ways. How many do not fit?`,
    moves: [400, 2000],
    draw: (picture, { layout }) => waysPicture(layout, t.params, picture === 1),
    question: { options, answer, because: stated`None. All ${count}, tried one by one: each window takes two.` },
  };
}

function wholeRow(t: SlideSparseTrace, group: SlowGroup): Frame {
  const { row } = group;
  const count = groupsOfRow(t);
  const compress = t.chapters.find(({ id }) => id === 'compress');
  const sentence = (context: FrameContext): Stated => {
    const { groups, all, dense } = rowBytes(t, row, context);
    const bytes = fact('bytes of the row', all);
    const asDense = fact('bytes of the dense row', dense);
    const who = groups === 1 ? stated`The whole row:` : stated`${fact('groups', groups)} groups, the same way:`;
    return all < dense
      ? stated`${who} *${bytes} bytes instead of ${asDense}*.`
      : stated`${who} *${bytes} bytes*, ${asDense} if dense.`;
  };
  return {
    id: 'whole row',
    chapter: 'The rest, fast',
    step: compress ? compress.firstStep + compress.stepCount : t.steps.length,
    sentence,
    moves: [500, ...Array.from({ length: count - 1 }, () => 2000 / (count - 1))],
    draw: (picture, context) =>
      rowPicture(t, context, { row, slow: group.first / (2 * t.params.halfGroup), done: picture + 1 }),
  };
}

function product(t: SlideSparseTrace, group: SlowGroup): Frame {
  const { windows, cells } = group;
  const twice = coveredTwice(group);
  const last = windows[windows.length - 1].window;
  const copies = fact('numbers of x that are copied twice', twice, 'word');
  const all = fact('numbers of x of the group', cells.length, 'word');
  const who = windows.length === 1 ? 'The window' : 'Each window';
  return {
    id: 'product',
    chapter: 'The product',
    step: stepOf(t, (d) => d.kind === 'multiply' && d.group === group.index && d.window === last),
    sentence: () =>
      twice === 0
        ? stated`${who} gets its own four x: *none is copied twice*.`
        : stated`${who} gets its own four x: ${copies} of ${all} ${twice === 1 ? 'is' : 'are'} *copied twice*.`,
    moves: [...windows.map(() => (windows.length <= 3 ? 800 : 2400 / windows.length)), 600, 900],
    draw: (picture, context) => productPicture(group, context, productPart(group, picture)),
  };
}

const VERDICT_PARTS: readonly VerdictPart[] = [0, 1, 2, 3];

function verdict(t: SlideSparseTrace): Frame {
  const { min, max } = PUBLISHED_PREFILL;
  const low = fact('published times as fast, at least', min, 2);
  const high = fact('published times as fast, at most', max, 2);
  return {
    id: 'verdict',
    chapter: 'So what',
    step: stepOf(t, (d) => d.kind === 'pays' && d.about === 'speed'),
    sentence: (context) => {
      const times = recordedProduct(context)?.format?.timesDense;
      const withUnit = stated`With a 2:4 unit *${low} to ${high}* times as fast as dense;`;
      return times === undefined
        ? stated`${withUnit} without, *not timed*.`
        : stated`${withUnit} without, *${fact('recorded times as fast', times, 2)}*.`;
    },
    moves: [300, 900, 900, 600],
    draw: (picture, context) => verdictPicture(t, context, VERDICT_PARTS[picture]),
    pause: 3000,
  };
}
