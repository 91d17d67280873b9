import { describe, expect, it } from 'vitest';
import { denseMatrix, type Matrix, toDense } from '../../../core/matrix/index.ts';
import { narrationText } from '../../../core/story/scene.ts';
import { slideSparse } from '../index.ts';
import { HALF_GROUPS, type SlideSparseParams } from '../params.ts';
import { story } from './index.ts';

const P68: SlideSparseParams = { halfGroup: 4, valueType: 'f16' };
const I8: SlideSparseParams = { halfGroup: 4, valueType: 'i8' };

const row = (...cells: number[]): Matrix => denseMatrix(1, cells.length, Float32Array.from(cells));
/** The group of the drawing: the second window leaves a value to the third. */
const DRAWN = row(0.9, 0, -0.4, 1.2, 0.3, -0.7, 0, 0.5);
const FULL = row(3, -1, 2, 4, 5, 6, 7, 8);

const stories = (m: Matrix, params: SlideSparseParams): string[] => {
  const t = story.trace(m, params);
  return Array.from({ length: t.steps.length + 1 }, (_, step) => narrationText(story.scene(t, step)));
};

describe('slidesparse scene', () => {
  it('narrates the windows of a 6:8 group with their numbers', () => {
    const narrations = stories(DRAWN, P68);
    expect(narrations).toEqual(
      expect.arrayContaining([
        'Row 0, group 0: window 0 covers columns 0 to 3 and takes 0.90 and −0.40, and leaves 1.20 to window 1. A window takes at most two.',
        'Row 0, group 0: window 1 covers columns 2 to 5. Column 2 is taken, so it takes 1.20 and 0.30, and leaves −0.70 to window 2.',
        'Row 0, group 0: window 2 covers columns 4 to 7. Column 4 is taken, so it takes −0.70 and 0.50.',
        'Row 0, group 0: window 1 keeps slots 1 and 2. Four bits say which: 1 + 2 × 4 = 9.',
      ]),
    );
  });

  it('writes both slots of a window in bits below their values, highest first', () => {
    const t = story.trace(DRAWN, P68);
    const step = t.steps.findLastIndex(({ detail }) => (detail as { kind: string }).kind === 'compress') + 1;
    const marks = story.scene(t, step).panels.flatMap((panel) => panel.marks);
    const bits = marks.filter(({ id }) => id.startsWith('metadata 0,')).toSorted((a, b) => a.x - b.x);
    // Slots 0 and 2, 1 and 2, 1 and 3.
    expect(bits.map(({ text }) => text).join('')).toBe('001001100111');
    expect(marks.filter(({ id }) => id.startsWith('keeps ')).map(({ text }) => text)).toEqual([
      '0 + 2 × 4 = 8',
      '1 + 2 × 4 = 9',
      '1 + 3 × 4 = 13',
    ]);
  });

  it('curves every taken weight to its slot of the slid row', () => {
    const t = story.trace(DRAWN, P68);
    const step = t.steps.findIndex(({ detail }) => (detail as { window?: number }).window === 1) + 1;
    expect(story.scene(t, step).links.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'weight 0,3 -> slid 0,1.1',
      'weight 0,4 -> slid 0,1.2',
    ]);
  });

  it('prunes a window that is not admitted, and continues with what is left', () => {
    expect(slideSparse.admits(FULL, P68).ok).toBe(false);
    expect(story.tracesRefused?.(FULL, P68)).toBe(true);
    expect(story.tracesRefused?.(DRAWN, P68)).toBe(false);
    const t = story.trace(FULL, P68) as ReturnType<typeof story.trace> & { pruned: Matrix };
    expect(stories(FULL, P68)[2]).toBe(
      'Row 0, columns 0 to 7: 8 weights, but only 6 may stay. The smallest, −1 and 2, go.',
    );
    expect(Array.from(toDense(t.pruned))).toEqual([3, 0, 0, 4, 5, 6, 7, 8]);
    expect(t.encoded).toEqual(slideSparse.encode(t.pruned, P68));
  });

  it('quantises and lifts like algorithm 1, for weights in f16 too', () => {
    const narrations = stories(DRAWN, P68);
    const chapter = (kind: string): number => narrations.findIndex((words) => words.includes(kind));
    expect(chapter('nothing is copied')).toBeGreaterThan(0);
    expect(chapter('Algorithm 1, pass 1')).toBe(chapter('nothing is copied') + 1);
    // 8 activations of 2 bytes, 3 words of 4, and once out and in again 8 bytes.
    expect(narrations.find((words) => words.startsWith('One kernel'))).toMatch(/28 B for this token.* 44 B\./);
  });

  it('shows integers of i8 as integers, and the scale once', () => {
    const narrations = stories(DRAWN, I8);
    expect(narrations.find((words) => words.includes('pass 1'))).toMatch(/a step is 2\.50 \/ 127 = 0\.0197/);
    expect(narrations.find((words) => words.startsWith('Row 0, group 0: window 0 adds'))).toMatch(
      / = −?\d+(\u202f\d+)?, exact in integers/,
    );
  });

  it('lets no curve enter a panel from above through its title', () => {
    for (const params of [P68, I8]) {
      const t = story.trace(DRAWN, params);
      const entered = t.steps.flatMap((_, i) => {
        const { panels, links } = story.scene(t, i + 1);
        const panelOf = (id: string) => panels.findIndex(({ marks }) => marks.some((mark) => mark.id === id));
        return links.flatMap(({ from, to }) => panels.slice(panelOf(from) + 1, panelOf(to) + 1));
      });
      expect(new Set(entered.map(({ id }) => id))).toEqual(new Set(['slid', 'lifted', 'y']));
      for (const { title, caption } of entered) expect([title, caption]).toEqual([undefined, undefined]);
    }
  });

  it('has seven chapters with a sentence in every step, whatever the window holds', () => {
    for (const halfGroup of HALF_GROUPS) {
      for (const valueType of ['f16', 'i8'] as const) {
        for (const m of [
          DRAWN,
          FULL,
          row(1),
          denseMatrix(2, 3, new Float32Array(6)),
          denseMatrix(0, 0, new Float32Array(0)),
        ]) {
          const t = story.trace(m, { halfGroup, valueType });
          expect(t.chapters.map((c) => c.title)).toEqual([
            'Prune',
            'Slide',
            'Compress',
            'Lift',
            'Multiply',
            'Pays?',
            'Theorem',
          ]);
          expect(t.chapters.every((c) => c.stepCount > 0)).toBe(true);
          for (const words of stories(m, { halfGroup, valueType })) expect(words.length).toBeGreaterThan(20);
        }
      }
    }
  });

  it('explains which of equal magnitudes are removed, and that NaN stays', () => {
    expect(stories(row(2, 2, 2, 2, 2, -2, 2, 2), P68)[2]).toBe(
      'Row 0, columns 0 to 7: 8 weights, but only 6 may stay. The smallest, 2 and 2, go. Of equals, higher columns stay.',
    );
    expect(stories(row(Number.NaN, -Infinity, 2, 1, 5, 6, 7, 8), P68)[2]).toBe(
      'Row 0, columns 0 to 7: 8 weights, but only 6 may stay. The smallest, 2 and 1, go. NaN counts as largest.',
    );
  });

  it('describes NaN, infinities and values beyond f16 as what they become', () => {
    const narrations = stories(row(Number.NaN, 0, -Infinity, 70000, 0, 0, 1e-9, 0), P68);
    expect(narrations).toEqual(expect.arrayContaining([expect.stringMatching(/window 0 covers .* takes NaN and −∞/)]));
    expect(narrations).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/7e4 is too large for f16: stored as ∞\.$/),
        expect.stringMatching(/1e−9 is too small for f16: stored as 0\.$/),
      ]),
    );
    expect(narrations.find((words) => words.startsWith('Row 0 is done'))).toMatch(/y\[0\] = NaN/);
  });

  it('refuses NaN in i8 like the encoder, also if a group is too full', () => {
    const cells = Array.from({ length: 8 }, () => Number.NaN);
    expect(story.tracesRefused?.(row(...cells), I8)).toBe(false);
    expect(() => story.trace(row(...cells), I8)).toThrow('expected finite values for i8');
  });
});
