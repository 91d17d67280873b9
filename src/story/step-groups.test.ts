import { expect, it } from 'vitest';
import { groupEnds, MAX_STOPS, stopsOf } from './step-groups.ts';
import { TraceBuilder, type Effect, type Trace } from './trace.ts';

/** A story whose chapters are given by their steps: a cell as 'row,column', '=' ends a row, '.' is about no cell. */
function traced(...chapters: readonly string[]) {
  const builder = new TraceBuilder<string>();
  for (const [i, steps] of chapters.entries()) {
    builder.chapter(String(i), String(i));
    for (const step of steps.split(' ')) {
      const [row, col] = step.split(',').map(Number);
      const visit: Effect = { kind: 'visit', row, col };
      builder.step(step, step.includes(',') ? [visit] : []);
    }
  }
  const { steps: all, chapters: titled } = builder;
  const trace = { steps: all, chapters: titled, encoded: {} } as unknown as Trace<string>;
  const kindOf = (_: Trace<string>, step: string) => {
    return { name: step, code: null, ...(step === '=' && { event: 'row end' }) };
  };
  return { trace, story: { kindOf } } as unknown as Parameters<typeof groupEnds>[0] & { trace: Trace };
}

it('a group is a row, and ends where the row ends, or before another row', () => {
  expect(groupEnds(traced('0,1 0,4 = 1,2 . 1,5 = 3,0 3,7'))).toEqual([3, 7, 9]);
  expect(groupEnds(traced('. 0,1 0,4 1,6 1,9'))).toEqual([3, 5]);
});

it('rows that share a list are one group, since they alternate at the same columns', () => {
  expect(groupEnds(traced('0,1 1,1 0,4 1,4 . 2,0 2,5'))).toEqual([5, 7]);
});

it('every chapter ends with a group, and an empty one has none', () => {
  expect(groupEnds(traced('0,1', '0,1 1,0'))).toEqual([1, 2, 3]);
});

it('there are at most 25 stops, with the start and the end of each chapter', () => {
  const rows = Array.from({ length: 60 }, (_, row) => `${row},${row % 2}`).join(' ');
  const story = traced(rows, rows);
  const stops = stopsOf(groupEnds(story), story.trace.chapters);
  expect(stops).toHaveLength(MAX_STOPS);
  expect(stops.slice(0, 3)).toEqual([0, 5, 10]);
  expect([stops.includes(60), stops.at(-1)]).toEqual([true, 120]);
  const short = traced('0,0 1,1', '2,0');
  expect(stopsOf(groupEnds(short), short.trace.chapters)).toEqual([0, 1, 2, 3]);
});
