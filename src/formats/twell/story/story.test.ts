import { describe, expect, it } from 'vitest';
import { columnsMatrix, matrixOf } from '../../../../test/matrices.ts';
import { stepStoring } from '../../../story/declared/trace.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import { narrationText, type Panel } from '../../../story/scene.ts';
import type { TwellParams } from '../params.ts';
import type { TwellTrace } from './facts.ts';
import { story } from './index.ts';

const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const trace = (m: Matrix, p = P): TwellTrace => story.trace(m, p) as TwellTrace;

/** What the story says about each of the first `count` tiles. */
const tileTexts = (t: TwellTrace, count: number): readonly string[] =>
  t.steps
    .flatMap(({ detail }, i) =>
      detail.kind === 'stored' && detail.reason ? [narrationText(story.scene(t, i + 1)).split(' words[')[0]] : [],
    )
    .slice(0, count);
const bitsOf = (t: TwellTrace, step: number): Panel | undefined =>
  story.scene(t, step).panels.find(({ id }) => id === 'bits');
/** The bits of a line of words, and the text below them. */
const lineOf = (panel: Panel | undefined, y: number): readonly string[] => {
  const marks = panel?.marks ?? [];
  const bits = marks.filter((mark) => mark.shape === 'box' && mark.y === 2 * y).map(({ text }) => text ?? '');
  return [bits.join(''), ...marks.filter((mark) => mark.y === 2 * y + 1).map(({ text }) => text ?? '')];
};

describe('every step of TwELL', () => {
  it('says of each tile how many non-zeros it contains, and how many slots stay empty', () => {
    expect(tileTexts(trace(columnsMatrix(16, [[9], [0, 1, 2, 15]])), 4)).toEqual([
      'Token 0, tile 0: nothing to store; 3 slots stay empty.',
      'Token 0, tile 1: 1 non-zero, moved to the left; 2 slots stay empty.',
      'Token 1, tile 0: 3 non-zeros, moved to the left; it is full.',
      'Token 1, tile 1: 1 non-zero, moved to the left; 2 slots stay empty.',
    ]);
  });

  it('draws the words of the tile in bits, highest first: its count, and values above neurons', () => {
    // 1.5 in bf16 is 0x3fc0, and column 9 is 0b1001.
    const t = trace(matrixOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 1.5]));
    const panel = bitsOf(t, stepStoring(t, 'words', 5));
    expect(panel?.caption).toBe('token 0, tile 1');
    expect(lineOf(panel, 0)).toEqual([`${'0'.repeat(31)}1`, 'count 1']);
    expect(lineOf(panel, 1)).toEqual([`0011111111000000${'0'.repeat(12)}1001`, 'value 1.50', 'neuron 9']);
    expect(panel?.marks.find(({ id }) => id === 'bit 5.0')?.highlightNames).toEqual(['words[5]', 'cell 0,9']);
    // The product reads the same word.
    expect(lineOf(bitsOf(t, t.chapters[0].stepCount + 1), 1)).toEqual(lineOf(panel, 1));
    expect(bitsOf(t, t.chapters[0].stepCount)).toBeUndefined();
    expect(bitsOf(trace(t.window, { ...P, layout: 'split' }), 1)).toBeUndefined();
  });

  it('leaves out tokens that overflow, and keeps the others', () => {
    const window = matrixOf([1, 1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 0, 0, 3]);
    expect(story.admits(window, P).ok).toBe(false);
    expect(story.tracesRejected?.(window, P)).toBe(true);
    const t = trace(window);
    expect([t.window.nnz, t.encoded.nnz, t.rejected?.nnz]).toEqual([2, 2, 7]);
    expect(tileTexts(t, 1)).toEqual(['Token 0, tile 0: nothing to store; 3 slots stay empty.']);
    expect(narrationText(story.scene(t, 0))).toContain('Refused: 5 of 7 are set to zero.');
  });
});
