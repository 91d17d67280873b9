import type { Random } from '../../../core/number/random.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import { HALF_GROUPS, type HalfGroup, KEPT, patternName, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { firstWindow, type Group, type SlideSparseTrace } from './trace.ts';
import { nibbleAt, windowStart } from '../layout.ts';

const oneOf = <T>(list: readonly T[], random: Random): T | null =>
  list.length === 0 ? null : list[random.below(list.length)];

interface ValueAsked {
  readonly trace: SlideSparseTrace;
  readonly group: number;
  readonly own: Group;
  /** column of the value within its row */
  readonly column: number;
  /** the window of the row that takes it */
  readonly window: number;
}

/** Values that the first window covering them leaves to the next one. */
function passedOn(trace: SlideSparseTrace): readonly ValueAsked[] {
  return trace.groups.flatMap((own, group) =>
    own.columns.flatMap((c, i): ValueAsked[] => {
      const taken = own.windowOf[i];
      const isPassedOn = taken > Math.max(0, Math.ceil((c - WINDOW + 1) / STRIDE));
      const column = own.group * 2 * trace.params.halfGroup + c;
      return isPassedOn ? [{ trace, group, own, column, window: firstWindow(own, trace.params) + taken }] : [];
    }),
  );
}

const placeIn = ({ trace, column }: ValueAsked, window: number): number =>
  window * WINDOW + column - windowStart(trace.params, window);

const slidTo = ({ trace, group, window }: ValueAsked): number =>
  stepWhere(trace, (d) => d.kind === 'slide' && d.group === group && d.window === window);

const rowText = ({ trace: { params }, own }: ValueAsked): string =>
  listText(own.columns.map((c) => String(own.group * 2 * params.halfGroup + c)));

/** The position of a value once its row has slid. */
const placeInSlidRow: Question<SlideSparseTrace, ValueAsked> = {
  id: 'place-in-slid-row',
  subject: (trace, random) => (trace.pruned === trace.window ? oneOf(passedOn(trace), random) : null),
  ask: (asked) => {
    const { params } = asked.trace;
    const from = asked.own.group * 2 * params.halfGroup;
    return say`Row ${asked.own.row} is slid in the pattern ${patternName(params.halfGroup)}. Its group of columns ${from} to ${from + 2 * params.halfGroup - 1} has weights in ${rowText(asked)}, and its first window begins at place ${firstWindow(asked.own, params) * WINDOW} of the slid row. A window takes at most ${KEPT}, the first ones first. At which place of the slid row is the value of column ${strong(asked.column)}?`;
  },
  answer: (asked) => placeIn(asked, asked.window),
  because: (asked) =>
    say`The window before is full already, so the next one takes it: places ${asked.window * WINDOW} to ${asked.window * WINDOW + WINDOW - 1} are columns ${windowStart(asked.trace.params, asked.window)} to ${windowStart(asked.trace.params, asked.window) + WINDOW - 1}. Column ${asked.column} is ${strong(`place ${placeIn(asked, asked.window)}`)}.`,
  span: (asked) => ({ before: slidTo(asked) - 1, shows: slidTo(asked) }),
  misconceptions: [
    {
      id: 'first-window-takes-it',
      title: 'the first window that sees a value keeps it',
      answer: (asked) => placeIn(asked, asked.window - 1),
      reply: () =>
        say`That window sees it, and it holds ${strong('two values already')}. The rest goes to the next one.`,
      departs: (asked) => slidTo(asked) - 1,
    },
    {
      id: 'columns-keep-their-place',
      title: 'a value keeps its column',
      answer: ({ column }) => column,
      reply: () =>
        say`Neighbouring windows see ${strong('two columns in common')}. So the slid row is longer, and places shift.`,
      departs: slidTo,
    },
    {
      id: 'only-kept-values-have-places',
      title: 'only the values that are kept have places',
      answer: (asked) =>
        asked.window * KEPT +
        asked.own.columns.filter(
          (c, i) =>
            asked.own.windowOf[i] === asked.window - firstWindow(asked.own, asked.trace.params) &&
            c + asked.own.group * 2 * asked.trace.params.halfGroup < asked.column,
        ).length,
      reply: () =>
        say`That counts what is stored in the end. The slid row still has ${strong('four places for each window')}.`,
      departs: (asked) => stepWhere(asked.trace, (d) => d.kind === 'compress'),
    },
  ],
};

interface NibbleAsked {
  readonly trace: SlideSparseTrace;
  readonly group: number;
  readonly row: number;
  readonly window: number;
}

const nibble = ({ trace, row, window }: NibbleAsked): number => nibbleAt(trace.encoded, row, window);
const first = (asked: NibbleAsked): number => nibble(asked) & 3;
const second = (asked: NibbleAsked): number => nibble(asked) >>> 2;
const compressed = ({ trace, group, window }: NibbleAsked): number =>
  stepWhere(trace, (d) => d.kind === 'compress' && d.group === group && d.window === window);

/** The four bits that say which slots a window keeps. */
const metadataOfWindow: Question<SlideSparseTrace, NibbleAsked> = {
  id: 'metadata-of-window',
  subject: (trace, random) =>
    oneOf(
      trace.groups.flatMap((own, group) =>
        Array.from({ length: windowsPerGroup(trace.params) }, (_, w) => ({
          trace,
          group,
          row: own.row,
          window: firstWindow(own, trace.params) + w,
        })),
      ),
      random,
    ),
  ask: (asked) =>
    say`The slots of a window are counted from 0 to ${WINDOW - 1}. This one keeps slots ${strong(`${first(asked)} and ${second(asked)}`)}. Two bits name the first, and the two bits above them the second. What number do the four bits make?`,
  answer: nibble,
  because: (asked) =>
    say`The first slot counts once, the second one four times: ${first(asked)} + ${second(asked)} × 4 = ${strong(nibble(asked))}.`,
  span: (asked) => ({ before: compressed(asked) - 1, shows: compressed(asked) }),
  misconceptions: [
    {
      id: 'second-slot-below',
      title: 'the second slot is in the lower bits',
      answer: (asked) => second(asked) + 4 * first(asked),
      reply: () => say`The ${strong('first')} slot is in the lower bits.`,
      departs: compressed,
    },
    {
      id: 'a-bit-for-each-slot',
      title: 'a bit is set for each kept slot',
      answer: (asked) => 2 ** first(asked) + 2 ** second(asked),
      reply: () =>
        say`That would be a bitmask. The hardware wants ${strong('the number of each slot')}, to pick an activation with it.`,
      departs: compressed,
    },
    {
      id: 'slots-added-up',
      title: 'the slots are added up',
      answer: (asked) => first(asked) + second(asked),
      reply: () =>
        say`The two slots could not be recovered from a sum. The second one is ${strong('two bits higher')}.`,
      departs: compressed,
    },
  ],
};

/** The questions that lessons can ask about windows and what they keep. */
const windowQuestions: readonly Question[] = [placeInSlidRow, metadataOfWindow] as readonly Question[];

interface PatternAsked {
  readonly trace: SlideSparseTrace;
  readonly halfGroup: HalfGroup;
}

const gammaStep = (t: SlideSparseTrace): number => stepWhere(t, (d) => d.kind === 'pays' && d.about === 'gamma');

/** How long a group becomes by sliding. */
const slotsOfGroup: Question<SlideSparseTrace, PatternAsked> = {
  id: 'slots-of-group',
  unit: 'slots',
  subject: (trace, random: Random) => ({ trace, halfGroup: HALF_GROUPS[2 + random.below(HALF_GROUPS.length - 2)] }),
  ask: ({ halfGroup }) =>
    say`In ${strong(patternName(halfGroup))}, a group of ${2 * halfGroup} columns slides into windows of ${WINDOW} columns. Each begins ${STRIDE} columns after the one before, and the last one ends with the group. How many slots do all its windows have?`,
  answer: ({ halfGroup }) => windowsPerGroup({ halfGroup }) * WINDOW,
  because: ({ halfGroup }) =>
    say`${strong(counted(windowsPerGroup({ halfGroup }), 'window'))} of ${WINDOW}: the columns in between are seen twice. That is ${(windowsPerGroup({ halfGroup }) * WINDOW) / (2 * halfGroup)} times as long.`,
  span: ({ trace }) => ({ before: gammaStep(trace) - 1, shows: gammaStep(trace) }),
  misconceptions: [
    {
      id: 'windows-do-not-overlap',
      title: 'windows do not overlap',
      answer: ({ halfGroup }) => Math.ceil((2 * halfGroup) / WINDOW) * WINDOW,
      reply: () =>
        say`Each window begins only ${strong(`${STRIDE} columns`)} after the one before, so it sees half of it again.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'slide'),
    },
    {
      id: 'a-window-at-every-start',
      title: 'a window begins at every second column',
      answer: ({ halfGroup }) => halfGroup * WINDOW,
      reply: ({ halfGroup }) =>
        say`The last window would begin at column ${2 * halfGroup - STRIDE} and ${strong('reach past the group')}.`,
      departs: ({ trace }) => gammaStep(trace),
    },
    {
      id: 'kept-slots-alone',
      title: 'a window has only the slots it keeps',
      answer: ({ halfGroup }) => windowsPerGroup({ halfGroup }) * KEPT,
      reply: () => say`A window keeps ${KEPT} values, and it multiplies with ${strong(`${WINDOW} activations`)}.`,
      departs: ({ trace }) => gammaStep(trace),
    },
  ],
};

interface PrunedAsked {
  readonly trace: SlideSparseTrace;
  /** non-zeros of every group of the one row */
  readonly counts: readonly number[];
  readonly columns: readonly number[];
}

const groupWidth = ({ params }: SlideSparseTrace): number => 2 * params.halfGroup;

/** How many non-zeros have to be removed before a row fits the pattern. */
const prunedToFit: Question<SlideSparseTrace, PrunedAsked> = {
  id: 'pruned-to-fit',
  unit: 'non-zeros',
  subject(trace) {
    if (trace.window.rows !== 1 || trace.pruned === trace.window) return null;
    const columns = trace.groups.flatMap(({ group, columns: own }) => own.map((c) => c + group * groupWidth(trace)));
    return { trace, columns, counts: trace.groups.map(({ columns: own }) => own.length) };
  },
  ask: ({ trace, columns }) =>
    say`A row of ${trace.window.cols} columns has weights in columns ${listText(columns.map(String))}. The hardware runs ${strong(patternName(trace.params.halfGroup))}: at most two of columns 0 to 3, and of every four that follow. How many weights have to go?`,
  answer: ({ trace }) => trace.window.nnz - trace.pruned.nnz,
  because: ({ trace, counts }) =>
    say`The groups of ${groupWidth(trace)} with anything in them hold ${listText(counts.map(String))}. Each may keep ${strong(groupWidth(trace) - 2)}, however empty the others are.`,
  span: ({ trace }) => {
    const first = stepWhere(trace, (d) => d.kind === 'prune');
    return { before: first - 1, shows: first };
  },
  misconceptions: [
    {
      id: 'density-decides',
      title: 'a row fits if half of it is empty',
      answer: ({ trace }) =>
        Math.max(0, trace.window.nnz - (trace.window.cols / groupWidth(trace)) * (groupWidth(trace) - 2)),
      reply: () =>
        say`Overall there may be enough room. But a group that is too full cannot borrow ${strong('its neighbour’s room')}.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'prune'),
    },
    {
      id: 'full-groups-are-emptied',
      title: 'a group that is too full goes entirely',
      answer: ({ trace, counts }) => counts.reduce((sum, n) => sum + (n > groupWidth(trace) - 2 ? n : 0), 0),
      reply: ({ trace }) => say`A group keeps its ${strong(`${groupWidth(trace) - 2} largest`)}; only the others go.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'prune'),
    },
  ],
};

interface RowAsked {
  readonly trace: SlideSparseTrace;
}

/** Whether the row ends with a group, and its windows fill whole words of metadata. */
const isWhole = (t: SlideSparseTrace): boolean =>
  t.window.nnz > 0 && t.encoded.windowsPerRow * 2 * t.params.halfGroup === t.window.cols * windowsPerGroup(t.params);

const lastCompress = (t: SlideSparseTrace): number => t.chapters[2].firstStep + t.chapters[2].stepCount;

/** How many values a row stores, whatever it holds. */
const storedValues: Question<SlideSparseTrace, RowAsked> = {
  id: 'stored-values',
  unit: 'values',
  subject: (trace) => (trace.window.rows === 1 && trace.pruned === trace.window && isWhole(trace) ? { trace } : null),
  ask: ({ trace }) =>
    say`A row of ${trace.window.cols} columns holds ${strong(counted(trace.window.nnz, 'weight'))} in the pattern ${patternName(trace.params.halfGroup)}. How many values are stored for it?`,
  answer: ({ trace }) => trace.encoded.values.length,
  because: ({ trace: { encoded, params, window } }) =>
    say`${window.cols / (2 * params.halfGroup)} groups become ${strong(counted(encoded.windowsPerRow, 'window'))}, and each stores two values, zeros where it has no more.`,
  span: ({ trace }) => ({ before: trace.chapters[2].firstStep, shows: lastCompress(trace) }),
  misconceptions: [
    {
      id: 'non-zeros-alone',
      title: 'only weights are stored',
      answer: ({ trace }) => trace.window.nnz,
      reply: () => say`Every window stores ${strong('two values')}, even if it finds none.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'compress'),
    },
    {
      id: 'every-column',
      title: 'every column is stored',
      answer: ({ trace }) => trace.window.cols,
      reply: ({ trace: { params } }) =>
        say`Of ${2 * params.halfGroup} columns, ${strong(2 * params.halfGroup - 2)} are stored: as many as the pattern allows.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'compress'),
    },
    {
      id: 'all-slots',
      title: 'all four slots of a window are stored',
      answer: ({ trace }) => trace.encoded.windowsPerRow * WINDOW,
      reply: () => say`A window sees four columns and stores ${strong('two of them')}; four bits say which.`,
      departs: ({ trace }) => stepWhere(trace, (d) => d.kind === 'compress'),
    },
  ],
};

/** The questions that lessons can ask about SlideSparse. */
export const questions: readonly Question[] = [
  ...windowQuestions,
  ...([slotsOfGroup, prunedToFit, storedValues] as readonly Question[]),
];
