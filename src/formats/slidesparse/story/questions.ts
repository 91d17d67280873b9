import { stepEncoded, stepStoring } from '../../../story/declared/trace.ts';
import { oneOf, type Question, type TraceCase } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { of, plus, times } from '../../../story/computed.ts';
import { HALF_GROUPS, type HalfGroup, KEPT, patternName, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { nibbleAt, usedWindows, windowStart } from '../layout.ts';
import { type Box, groupsOf, isPruned, rowsOf, type SlideSparseTrace } from './facts.ts';

/** A stored value, in its group and window. */
interface ValueCase {
  readonly trace: SlideSparseTrace;
  readonly row: number;
  /** columns of the non-zeros in the group of the value */
  readonly groupColumns: readonly number[];
  /** the first column of the group, and its first window */
  readonly firstColumn: number;
  readonly firstWindow: number;
  /** the stored value */
  readonly box: Box;
}

/** Values that two windows cover and the second stores, since the first is full. */
function passedOn(trace: SlideSparseTrace): readonly ValueCase[] {
  const { encoded: e } = trace;
  const width = 2 * e.halfGroup;
  return rowsOf(trace).flatMap(({ boxes, cells }, row) =>
    boxes.flatMap((box): ValueCase[] => {
      const firstWindow = box.window - (box.window % windowsPerGroup(e));
      // The first columns of a window, up to WINDOW - STRIDE, are also the last ones of the window before.
      const isPassedOn = !box.isEmpty && box.window > firstWindow && box.slot < WINDOW - STRIDE;
      if (!isPassedOn) return [];
      const firstColumn = windowStart(e, firstWindow);
      const nonZeros = cells.slice(firstColumn, firstColumn + width).filter(({ value }) => value !== 0);
      return [{ trace, row, groupColumns: nonZeros.map(({ column }) => column), firstColumn, firstWindow, box }];
    }),
  );
}

/** The position that the value would have in the slid row, if this window stored it. */
const slidPosition = ({ trace, box: { column } }: ValueCase, window: number): number =>
  window * WINDOW + column - windowStart(trace.encoded, window);

/** The step that stores box `k` of a window; by default the last one. */
const stepStoringBox = (t: SlideSparseTrace, row: number, window: number, k = KEPT - 1): number =>
  stepStoring(t, 'values', (row * t.encoded.windowsPerRow + window) * KEPT + k);
/** The step that stores the value of a case. */
const stepStoringValue = ({ trace, box: { index } }: ValueCase): number => stepStoring(trace, 'values', index);

/**
 * The position of a value in the slid row: the slots of all windows, one window after the other. A slot is counted in its
 * window, from 0 to WINDOW - 1.
 */
const positionInSlidRow: Question<SlideSparseTrace, ValueCase> = {
  id: 'place-in-slid-row',
  findCase: (trace, random) => (trace.rejected ? null : oneOf(passedOn(trace), random)),
  needs: () => 'a group has three weights in its first four columns',
  ask({ trace: { encoded: e }, row, groupColumns, firstColumn, firstWindow, box }) {
    return say`Row ${row} is slid in the pattern ${patternName(e.halfGroup)}. Its group of columns ${firstColumn} to ${firstColumn + 2 * e.halfGroup - 1} has weights in ${listText(groupColumns.map(String))}, and its first window begins at position ${firstWindow * WINDOW} of the slid row. A window takes at most ${KEPT}, the first ones first. At which position of the slid row is the value of column ${strong(box.column)}?`;
  },
  answer: (questionCase) => slidPosition(questionCase, questionCase.box.window),
  reason(questionCase) {
    const { window, column } = questionCase.box;
    const start = windowStart(questionCase.trace.encoded, window);
    return say`The window before is full already, so the next one takes it: positions ${window * WINDOW} to ${window * WINDOW + WINDOW - 1} are columns ${start} to ${start + WINDOW - 1}. Column ${column} is ${strong(`position ${slidPosition(questionCase, window)}`)}.`;
  },
  steps: (questionCase) => ({ before: stepStoringValue(questionCase) - 1, shows: stepStoringValue(questionCase) }),
  misconceptions: [
    {
      id: 'first-window-takes-it',
      title: 'the first window that sees a value keeps it',
      answer: (questionCase) => slidPosition(questionCase, questionCase.box.window - 1),
      reply: () => say`That window sees it, and it has ${strong('two values already')}. The rest goes to the next one.`,
      falseAt: (questionCase) => stepStoringValue(questionCase) - 1,
    },
    {
      id: 'columns-keep-their-place',
      title: 'a value keeps its column',
      answer: ({ box }) => box.column,
      reply: () =>
        say`Neighbouring windows see ${strong('two columns in common')}. So the slid row is longer, and positions shift.`,
    },
    {
      id: 'only-kept-values-have-places',
      title: 'only the stored values have positions',
      answer: ({ trace: { encoded: e }, row, box }) => of(box.index - row * e.windowsPerRow * KEPT, 'values before'),
      reply: () =>
        say`That counts the values stored in the end. The slid row still has ${strong('four positions for each window')}.`,
    },
  ],
};

/** A window, about whose four bits of metadata (a nibble) a question asks. */
interface NibbleCase {
  readonly trace: SlideSparseTrace;
  readonly row: number;
  readonly window: number;
}

const nibble = ({ trace, row, window }: NibbleCase): number => nibbleAt(trace.encoded, row, window);
const firstSlot = (questionCase: NibbleCase): number => nibble(questionCase) & 3;
const secondSlot = (questionCase: NibbleCase): number => nibble(questionCase) >>> 2;
const stepStoringWindow = ({ trace, row, window }: NibbleCase): number => stepStoringBox(trace, row, window);

/** The four bits of metadata that name the two slots that a window keeps. */
const metadataOfWindow: Question<SlideSparseTrace, NibbleCase> = {
  id: 'metadata-of-window',
  findCase(trace, random) {
    const perGroup = windowsPerGroup(trace.encoded);
    const groups = groupsOf(trace.encoded, rowsOf(trace));
    return oneOf(
      groups.flatMap(({ row, group }) =>
        Array.from({ length: perGroup }, (_, w) => ({ trace, row, window: group * perGroup + w })),
      ),
      random,
    );
  },
  needs: () => 'a group has a weight',
  ask: (questionCase) =>
    say`The slots of a window are counted from 0 to ${WINDOW - 1}. This one keeps slots ${strong(`${firstSlot(questionCase)} and ${secondSlot(questionCase)}`)}. Two bits name the first, and the two bits above them the second. What number do the four bits make?`,
  answer: nibble,
  reason: (questionCase) =>
    say`The first slot counts once, the second one four times: ${firstSlot(questionCase)} + ${secondSlot(questionCase)} × 4 = ${strong(nibble(questionCase))}.`,
  steps: (questionCase) => ({
    before: stepStoringBox(questionCase.trace, questionCase.row, questionCase.window, 0) - 1,
    shows: stepStoringWindow(questionCase),
  }),
  misconceptions: [
    {
      id: 'second-slot-below',
      title: 'the second slot is in the lower bits',
      answer: (questionCase) => plus(times(firstSlot(questionCase), 4), secondSlot(questionCase)),
      reply: () => say`The ${strong('first')} slot is in the lower bits.`,
    },
    {
      id: 'a-bit-for-each-slot',
      title: 'a bit is set for each kept slot',
      answer: (questionCase) => plus(2 ** firstSlot(questionCase), 2 ** secondSlot(questionCase)),
      reply: () =>
        say`That would be a bitmask. The hardware wants ${strong('the number of each slot')}, to pick an activation with it.`,
    },
    {
      id: 'slots-added-up',
      title: 'the slots are added up',
      answer: (questionCase) => plus(firstSlot(questionCase), secondSlot(questionCase)),
      reply: () =>
        say`The two slots could not be recovered from a sum. The second one is ${strong('two bits higher')}.`,
    },
  ],
};

/** A pattern such as 6:8, by half of its group. */
interface PatternCase {
  readonly trace: SlideSparseTrace;
  readonly halfGroup: HalfGroup;
}

/** How many slots the overlapping windows of a group have in all. */
const slotsOfGroup: Question<SlideSparseTrace, PatternCase> = {
  id: 'slots-of-group',
  unit: 'slots',
  findCase: (trace, random) => ({ trace, halfGroup: HALF_GROUPS[2 + random.below(HALF_GROUPS.length - 2)] }),
  ask: ({ halfGroup }) =>
    say`In ${strong(patternName(halfGroup))}, a group of ${2 * halfGroup} columns slides into windows of ${WINDOW} columns. Each begins ${STRIDE} columns after the one before, and the last one ends with the group. How many slots do all its windows have?`,
  answer: ({ halfGroup }) => windowsPerGroup({ halfGroup }) * WINDOW,
  reason: ({ halfGroup }) =>
    say`${strong(counted(windowsPerGroup({ halfGroup }), 'window'))} of ${WINDOW}: the columns in between are seen twice. That is ${(windowsPerGroup({ halfGroup }) * WINDOW) / (2 * halfGroup)} times as long.`,
  steps: ({ trace }) => ({ before: stepEncoded(trace), shows: stepEncoded(trace) + 1 }),
  misconceptions: [
    {
      id: 'windows-do-not-overlap',
      title: 'windows do not overlap',
      answer: ({ halfGroup }) => times(of(Math.ceil((2 * halfGroup) / WINDOW), 'windows'), of(WINDOW, 'slots')),
      reply: () =>
        say`Each window begins only ${strong(`${STRIDE} columns`)} after the one before, so it sees half of it again.`,
      falseAt: () => 1,
    },
    {
      id: 'a-window-at-every-start',
      title: 'a window begins at every second column',
      answer: ({ halfGroup }) => times(of(halfGroup, 'windows'), of(WINDOW, 'slots')),
      reply: ({ halfGroup }) =>
        say`The last window would begin at column ${2 * halfGroup - STRIDE} and ${strong('reach past the group')}.`,
    },
    {
      id: 'kept-slots-alone',
      title: 'a window has only the slots it keeps',
      answer: ({ halfGroup }) => times(of(windowsPerGroup({ halfGroup }), 'windows'), of(KEPT, 'slots')),
      reply: () => say`A window keeps ${KEPT} values, and it multiplies with ${strong(`${WINDOW} activations`)}.`,
    },
  ],
};

/** A row that does not fit the pattern. */
interface PrunedCase {
  readonly trace: SlideSparseTrace;
  /** number of non-zeros in each group of the only row */
  readonly counts: readonly number[];
  /** number of non-zeros that have to be removed */
  readonly removed: number;
  /** columns of all non-zeros of the row */
  readonly columns: readonly number[];
}

const groupWidth = ({ encoded }: SlideSparseTrace): number => 2 * encoded.halfGroup;

/** How many non-zeros have to be removed before a row fits the pattern. */
const prunedToFit: Question<SlideSparseTrace, PrunedCase> = {
  id: 'pruned-to-fit',
  unit: 'non-zeros',
  findCase(trace) {
    // The question's text is about 2:4.
    if (trace.window.rows !== 1 || !trace.rejected || trace.encoded.halfGroup !== 2) return null;
    const groups = groupsOf(trace.encoded, rowsOf(trace)).map(({ cells }) => cells.filter(({ value }) => value !== 0));
    const nonZeros = groups.flat();
    return {
      trace,
      counts: groups.map(({ length }) => length),
      removed: nonZeros.filter(isPruned).length,
      columns: nonZeros.map(({ column }) => column),
    };
  },
  needs: () => 'there is one row, the pattern is 2:4, and three of four columns have weights',
  ask: ({ trace, columns }) =>
    say`A row of ${trace.window.cols} columns has weights in columns ${listText(columns.map(String))}. The hardware runs ${strong(patternName(trace.encoded.halfGroup))}: at most two of columns 0 to 3, and of every four that follow. How many weights have to go?`,
  answer: ({ removed }) => removed,
  reason: ({ trace, counts }) =>
    say`The groups of ${groupWidth(trace)} with anything in them contain ${listText(counts.map(String))}. Each may keep ${strong(groupWidth(trace) - 2)}, however empty the others are.`,
  steps: () => ({ before: 0, shows: 1 }),
  misconceptions: [
    {
      id: 'density-decides',
      title: 'a row fits if half of it is empty',
      answer: ({ trace, columns }) =>
        Math.max(0, columns.length - (trace.window.cols / groupWidth(trace)) * (groupWidth(trace) - 2)),
      reply: () =>
        say`Overall there may be enough slots. But a group that is too full cannot borrow ${strong('its neighbour’s slots')}.`,
    },
    {
      id: 'full-groups-are-emptied',
      title: 'a group that is too full goes entirely',
      answer: ({ trace, counts }) => counts.reduce((sum, n) => sum + (n > groupWidth(trace) - 2 ? n : 0), 0),
      reply: ({ trace }) => say`A group keeps its ${strong(`${groupWidth(trace) - 2} largest`)}; only the others go.`,
    },
  ],
};

/** Whether the columns are whole groups, and no windows are added to fill the last word of metadata. */
const isWhole = ({ window: { nnz, cols }, encoded: e }: SlideSparseTrace): boolean =>
  nnz > 0 && cols % (2 * e.halfGroup) === 0 && e.windowsPerRow === usedWindows(cols, e);

/** How many values are stored for a row, which depends only on its length. */
const storedValues: Question<SlideSparseTrace, TraceCase<SlideSparseTrace>> = {
  id: 'stored-values',
  unit: 'values',
  findCase: (trace) => (trace.window.rows === 1 && !trace.rejected && isWhole(trace) ? { trace } : null),
  needs: ({ encoded: e }) =>
    `there is one row of whole groups of ${2 * e.halfGroup} columns, which fits the pattern and has a weight`,
  ask: ({ trace }) =>
    say`A row of ${trace.window.cols} columns contains ${strong(counted(trace.window.nnz, 'weight'))} in the pattern ${patternName(trace.encoded.halfGroup)}. How many values are stored for it?`,
  answer: ({ trace }) => trace.encoded.values.length,
  reason: ({ trace: { encoded, window } }) =>
    say`${window.cols / (2 * encoded.halfGroup)} groups become ${strong(counted(encoded.windowsPerRow, 'window'))}, and each stores two values, zeros where it has no more.`,
  steps: ({ trace }) => ({ before: 0, shows: stepEncoded(trace) }),
  misconceptions: [
    {
      id: 'non-zeros-alone',
      title: 'only weights are stored',
      answer: ({ trace }) => of(trace.window.nnz, 'weights'),
      reply: () => say`Every window stores ${strong('two values')}, even if it finds none.`,
      falseAt: ({ trace }) => stepStoring(trace, 'values', KEPT - 1),
    },
    {
      id: 'every-column',
      title: 'every column is stored',
      answer: ({ trace }) => of(trace.window.cols, 'columns'),
      reply: ({ trace: { encoded } }) =>
        say`Of ${2 * encoded.halfGroup} columns, ${strong(2 * encoded.halfGroup - 2)} are stored: as many as the pattern allows.`,
      falseAt: ({ trace }) => stepStoring(trace, 'values', KEPT - 1),
    },
    {
      id: 'all-slots',
      title: 'all four slots of a window are stored',
      answer: ({ trace }) => times(of(trace.encoded.windowsPerRow, 'windows'), of(WINDOW, 'slots')),
      reply: () => say`A window sees four columns and stores ${strong('two of them')}; four bits store which.`,
      falseAt: ({ trace }) => stepStoring(trace, 'values', KEPT - 1),
    },
  ],
};

/** The questions about SlideSparse for lessons. */
export const questions: readonly Question[] = [
  positionInSlidRow,
  metadataOfWindow,
  slotsOfGroup,
  prunedToFit,
  storedValues,
] as readonly Question[];
