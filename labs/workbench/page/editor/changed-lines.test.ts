// The editor marks lines of a draft that differ from the original, in bounded time.

import { Chunk } from '@codemirror/merge';
import { EditorState, Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { changedLines, DIFF_BOUNDS } from './changed-lines.ts';

const ORIGINAL = Text.of(
  Array.from({ length: 200 }, (_, i) => `  let sum_${i} = values[${i}u] * x[indices[${i}u]]; // ${i}`),
);

/** Letters of a small alphabet, the same every time. */
function letters(count: number): string {
  let seed = 1;
  let text = '';
  for (let i = 0; i < count; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += 'let sum_=values[0]*;\n'[(seed >>> 16) % 20];
  }
  return text;
}

describe('the bounded comparison of a draft with its original', () => {
  it('finds one changed line of a kernel', () => {
    const doc = ORIGINAL.replace(ORIGINAL.line(7).from, ORIGINAL.line(7).to, Text.of(['  let other = 1;']));
    const chunks = Chunk.build(ORIGINAL, doc, DIFF_BOUNDS);
    expect(chunks.map(({ fromB }) => doc.lineAt(fromB).number)).toEqual([7]);
  });

  it('treats a line of 64 Ki letters or more as changed as a whole', () => {
    for (const length of [DRAFT_BOUNDS.length, 2 ** 20]) {
      const chunks = Chunk.build(ORIGINAL, Text.of([letters(length)]), DIFF_BOUNDS);
      expect(chunks.some(({ precise }) => !precise)).toBe(true);
      expect(chunks.at(-1)?.endB).toBe(length);
    }
  });

  it('is used by the editor for a text and every change of it', () => {
    const state = EditorState.create({ doc: letters(DRAFT_BOUNDS.length), extensions: changedLines(ORIGINAL) });
    const next = state.update({ changes: { from: 9, insert: letters(DRAFT_BOUNDS.length) } }).state;
    expect(next.doc.length).toBe(2 * DRAFT_BOUNDS.length);
  });
});
