import { ENDING_EVENTS, surveySteps, type TracedStory } from './step-kind.ts';
import type { Chapter } from './trace.ts';

/** The most stops of a story: its start, and the ends of groups of its steps. */
export const MAX_STOPS = 25;

/**
 * After how many steps each group of a story's steps ends: the steps of one row, of one list that rows share, or of one
 * tile; those for no cell, such as padding, belong to the group before them. Sums are grouped by the row that they
 * complete. Ascending; every chapter ends with a group. O(effects).
 */
export function groupEnds(traced: TracedStory): readonly number[] {
  const { chapters, steps } = traced.trace;
  const ends = new Set(chapters.map(({ firstStep, stepCount }) => firstStep + stepCount));
  let group: StepGroup = { rows: new Set(), col: -1, isFilled: false, isComplete: false };
  for (const [i, { kind }] of surveySteps(traced).entries()) {
    const { effects } = steps[i];
    const cell = kind.cell ?? effects.find((effect) => effect.kind === 'visit');
    // Rows that share a list alternate at equal columns; a list begins where the columns begin again.
    const isNew = cell !== undefined && (cell.col < group.col || (cell.col !== group.col && !group.rows.has(cell.row)));
    if (group.isFilled && (group.isComplete || isNew)) ends.add(i);
    if (ends.has(i)) group = { rows: new Set(), col: -1, isFilled: false, isComplete: false };
    if (cell) {
      group.rows.add(cell.row);
      group.col = cell.col;
    }
    group.isFilled ||= cell !== undefined || effects.some((effect) => effect.kind === 'accumulate');
    group.isComplete = kind.event !== undefined && ENDING_EVENTS.includes(kind.event);
  }
  return [...ends].filter((end) => end > 0).toSorted((a, b) => a - b);
}

/** The steps since the last end of a group. */
interface StepGroup {
  readonly rows: Set<number>;
  /** of the last cell; -1: none */
  col: number;
  /** whether a step is about a cell, or adds to a sum */
  isFilled: boolean;
  /** whether the last step ends a row, or a sum */
  isComplete: boolean;
}

/**
 * The stops of a story at which a player rests while it goes through every step: 0, and the ends of groups, several
 * together where there would be more than `MAX_STOPS`. Every chapter ends with a stop, so a story of
 * many chapters may have more.
 */
export function stopsOf(ends: readonly number[], chapters: readonly Chapter[]): readonly number[] {
  const endsByChapter = chapters.flatMap(({ firstStep, stepCount }) => {
    const last = firstStep + stepCount;
    return stepCount > 0 ? [[...ends.filter((end) => end > firstStep && end < last), last]] : [];
  });
  const stopCount = (perStop: number): number =>
    endsByChapter.reduce((sum, { length }) => sum + Math.ceil(length / perStop), 1);
  let groupsPerStop = 1;
  while (stopCount(groupsPerStop) > MAX_STOPS && endsByChapter.some(({ length }) => length > groupsPerStop))
    groupsPerStop++;
  const isStop = (i: number, count: number): boolean => (i + 1) % groupsPerStop === 0 || i === count - 1;
  return [0, ...endsByChapter.flatMap((inChapter) => inChapter.filter((_, i) => isStop(i, inChapter.length)))];
}
