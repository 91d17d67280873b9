import type { Random } from '../../../core/number/random.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { listText, say, strong } from '../../../core/story/words.ts';
import { nibbleAt, windowStart } from '../layout.ts';
import { KEPT, patternName, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { firstWindow, type Group, type SlideSparseTrace } from './trace.ts';

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
    return say`Row ${asked.own.row} is slid in the pattern ${patternName(params.halfGroup)}. Its group of columns ${from} to ${from + 2 * params.halfGroup - 1} has non-zeros in ${rowText(asked)}, and its first window begins at place ${firstWindow(asked.own, params) * WINDOW} of the slid row. A window takes at most ${KEPT}, the first ones first. At which place of the slid row is the value of column ${strong(asked.column)}?`;
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
        say`Neighbouring windows see ${strong('two columns in common')}, and both have room for them. So the slid row is longer, and places shift.`,
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
        say`That counts what is stored in the end. The slid row still has ${strong('four places for each window')}; compressing comes later.`,
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
      reply: () => say`The ${strong('first')} slot is in the lower bits, as everything here begins with the lowest.`,
      departs: compressed,
    },
    {
      id: 'a-bit-for-each-slot',
      title: 'a bit is set for each slot that is kept',
      answer: (asked) => 2 ** first(asked) + 2 ** second(asked),
      reply: () =>
        say`That would be a bitmask. It needs four bits as well, but the hardware wants ${strong('the number of each slot')}, to pick an activation with it.`,
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
export const windowQuestions: readonly Question[] = [placeInSlidRow, metadataOfWindow] as readonly Question[];
