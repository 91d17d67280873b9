import type { Random } from '../../../core/number/random.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import { HALF_GROUPS, type HalfGroup, KEPT, patternName, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import type { SlideSparseTrace } from './trace.ts';
import { windowQuestions } from './window-questions.ts';

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
      title: 'a window begins at every second column, even the last',
      answer: ({ halfGroup }) => halfGroup * WINDOW,
      reply: ({ halfGroup }) =>
        say`The last window would begin at column ${2 * halfGroup - STRIDE} and reach past the group. The one before it ${strong('ends the group')} already.`,
      departs: ({ trace }) => gammaStep(trace),
    },
    {
      id: 'kept-slots-alone',
      title: 'a window has only the slots it keeps',
      answer: ({ halfGroup }) => windowsPerGroup({ halfGroup }) * KEPT,
      reply: () =>
        say`A window keeps ${KEPT} values, and it multiplies with ${strong(`${WINDOW} activations`)}: the hardware counts all of them.`,
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
    say`A row of ${trace.window.cols} columns has non-zeros in columns ${listText(columns.map(String))}. The hardware runs ${strong(patternName(trace.params.halfGroup))}: at most two of columns 0 to 3, and of every four that follow. How many non-zeros have to go?`,
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
      title: 'a row fits if no more than half of it is full',
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
    say`A row of ${trace.window.cols} columns holds ${strong(counted(trace.window.nnz, 'non-zero'))} in the pattern ${patternName(trace.params.halfGroup)}. How many values are stored for it?`,
  answer: ({ trace }) => trace.encoded.values.length,
  because: ({ trace: { encoded, params, window } }) =>
    say`${window.cols / (2 * params.halfGroup)} groups become ${strong(counted(encoded.windowsPerRow, 'window'))}, and each stores two values, zeros where it has no more.`,
  span: ({ trace }) => ({ before: trace.chapters[2].firstStep, shows: lastCompress(trace) }),
  misconceptions: [
    {
      id: 'non-zeros-alone',
      title: 'only non-zeros are stored',
      answer: ({ trace }) => trace.window.nnz,
      reply: () =>
        say`Every window stores ${strong('two values')}, even if it finds none: zeros beyond the pattern save nothing.`,
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
