import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { type DeclaredTrace, stepStoring } from '../../../story/declared/trace.ts';
import { narrationText } from '../../../story/scene.ts';
import type { HybridParams } from '../params.ts';
import { story } from './index.ts';

const PARAMS: HybridParams = { rowSlots: 4, tailShare: 2, valueType: 'bf16' };
/** Rows of 2, 0 and 5 non-zeros: compact, empty, tail. */
const ROWS = [[3, 9], [], [0, 1, 5, 6, 11]];

describe('the story of a hybrid', () => {
  const trace = story.trace(columnsMatrix(12, ROWS), PARAMS) as DeclaredTrace;
  const scenes = Array.from({ length: trace.steps.length + 1 }, (_, step) => story.scene(trace, step));

  it('reserves slots and a tail, and then says for every row where it is stored and why', () => {
    // After the reason, the narration lists the array elements that the step stores, from `counts[` on.
    const texts = trace.steps.flatMap(({ detail }, i) =>
      detail.kind === 'stored' && detail.reason ? [narrationText(scenes[i + 1]).split(' counts[')[0]] : [],
    );
    expect(texts).toEqual([
      'Memory is reserved first: 4 slots for each row, a tail of 2 rows.',
      'Row 0 has 2 non-zeros, at most 4: its slots keep values and columns.',
      'Row 1 has 0 non-zeros: its slots stay empty.',
      'Row 2 has 5 non-zeros, more than 4: it goes whole to tail row 0.',
    ]);
  });

  it('quotes the line that stores a row in its slots, or in the tail', () => {
    const lines = scenes.map(({ code }) => code?.lines[code.current].trim());
    const stored = (array: string, index: number): string | undefined => lines[stepStoring(trace, array, index)];
    const [, reservesMemory] = lines; // after the first step
    expect([reservesMemory, stored('values', 0), stored('counts', 1), stored('tail', 5)]).toEqual([
      'tail.zeros(tailCapacity * cols);',
      'values.pushAll(row.values, row.length);',
      'counts.push(row.length);',
      'tail.setAt(row.columns, row.values, row.length, tailUsed * cols);',
    ]);
    const product = (row: number): string | undefined =>
      lines[trace.steps.findIndex(({ effects: [effect] }) => effect?.kind === 'accumulate' && effect.row === row) + 1];
    expect([product(0), product(2)]).toEqual([
      'sum += value_at(first + slot) * x[index_at(first + slot)];',
      'sum += tail_product(first + column, column);',
    ]);
  });

  it('traces a matrix whose long rows do not fit into the tail with a longer tail', () => {
    const long = columnsMatrix(12, [ROWS[2], ROWS[2], ROWS[2]]);
    expect(story.admits(long, PARAMS).ok).toBe(false);
    expect(story.tracesRejected?.(long, PARAMS)).toBe(true);
    expect(story.trace(long, PARAMS).params).toMatchObject({ rowSlots: 4, tailShare: 1 });
  });
});
