import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../../../core/matrix/index.ts';
import { narrationText, type Panel } from '../../../core/story/scene.ts';
import type { MackoParams } from '../params.ts';
import { story } from './index.ts';
import { turnOf } from '../../../../test/arbitraries.ts';

const F16_4: MackoParams = { deltaBits: 4, valueType: 'f16' };

/** The second worked example: gaps beyond 16, an entry at the row's start, rows that begin inside a group of 8. */
function authorsExample(): ReturnType<typeof denseMatrix> {
  const columns = [[0, 1, 8, 12, 29], [0, 1, 14, 19], [21], [5], [4, 5, 7, 13, 23, 26, 28, 29, 31]];
  const cells = new Float32Array(5 * 32);
  let k = 0;
  columns.forEach((row, r) => row.forEach((c) => (cells[r * 32 + c] = ++k / 4)));
  return denseMatrix(5, 32, cells);
}

const stories = (params: MackoParams): string[] => {
  const t = story.trace(authorsExample(), params);
  return Array.from({ length: t.steps.length + 1 }, (_, step) => narrationText(story.scene(t, step)));
};

describe('macko scene', () => {
  it('narrates the wide gap of row 0 with its numbers', () => {
    const narrations = stories(F16_4);
    expect(narrations).toContain(
      '16 columns are skipped, but 4 bits count to 15. So MACKO stores a zero on the way: 16 = 15 + 1 + 0.',
    );
    expect(narrations).toContain('No column is left to skip. MACKO stores 1.25 and 0.');
    expect(narrations).toContain(
      'The skips of entries 4 and 5 share byte 2, the first in its low half: 15 + 0 × 16 = 15.',
    );
    expect(narrations).toContain(
      'Row 1 is entries 6 to 9. One load brings 8 values (16 bytes) and their skips, from a multiple of 8 on: here entry 0. The 6 before and 6 after are masked.',
    );
  });

  it('has four chapters in order for every parameter, also for a window without non-zeros', () => {
    for (const [i, deltaBits] of ([1, 2, 4, 8] as const).entries()) {
      for (const valueType of turnOf(['f16', 'f32', 'i8'] as const, i, 4)) {
        for (const m of [
          authorsExample(),
          denseMatrix(2, 3, new Float32Array(6)),
          denseMatrix(0, 0, new Float32Array(0)),
        ]) {
          const t = story.trace(m, { deltaBits, valueType });
          expect(t.chapters.map((c) => c.title)).toEqual(['Scan', 'Pack', 'Align', 'Multiply']);
          for (let step = 0; step <= t.steps.length; step++) expect(narrationText(story.scene(t, step))).not.toBe('');
        }
      }
    }
  });

  it('gives the padding of the wide gap one outline in slot, bits and byte', () => {
    const t = story.trace(authorsExample(), F16_4);
    const step = t.steps.findIndex((s) => s.detail && (s.detail as { kind: string }).kind === 'pad') + 1;
    const outlined = story.scene(t, step).panels.flatMap((p) => p.marks.filter((m) => m.focus).map((m) => m.id));
    expect(outlined).toEqual(
      expect.arrayContaining(['values[4]', 'deltas[4]', 'bits 4', 'delta bytes byte 2', 'skip', 'zero 0']),
    );
  });

  it('writes the bits of every skip highest first, below it', () => {
    for (const deltaBits of [1, 2, 4, 8] as const) {
      const t = story.trace(authorsExample(), { deltaBits, valueType: 'f16' });
      const packed = t.steps.findLastIndex(({ detail }) => (detail as { kind: string }).kind === 'word') + 1;
      const { marks } = panelOf(t, packed, 'entries');
      const skips = marks.filter(({ id }) => id.startsWith('deltas['));
      expect(skips.length).toBeGreaterThan(10);
      for (const { x, text } of skips) {
        const bits = marks.filter((mark) => mark.id.startsWith('bit ') && mark.x >= x && mark.x < x + 1);
        const written = bits.toSorted((a, b) => a.x - b.x).map((bit) => bit.text);
        expect(written.join('')).toBe(Number(text).toString(2).padStart(deltaBits, '0'));
      }
    }
  });

  it('measures the columns that are skipped, never the distance', () => {
    const t = story.trace(authorsExample(), F16_4);
    // Columns 0, 1, 8, 12 and 29; 21; each as [first column, columns, number].
    expect([1, 2, 3, 4, 5, 6, 13, 14].map((step) => skipsAt(t, step))).toEqual([
      [[-0.25, 1, '0']],
      [[0.75, 1, '0']],
      [[2, 6, '6']],
      [[9, 3, '3']],
      [
        [13, 15, '15'],
        [28.75, 1, '0'],
      ],
      [
        [13, 15, '15'],
        [28.75, 1, '0'],
      ],
      [
        [0, 15, '15'],
        [16, 5, '5'],
      ],
      [
        [0, 15, '15'],
        [16, 5, '5'],
      ],
    ]);
    const zero = panelOf(t, 5, 'matrix').marks.find(({ id }) => id === 'zero 0');
    expect(zero).toMatchObject({ x: 28, y: 0, tone: 'padding', about: ['entry 4'] });
  });
});

function panelOf(t: ReturnType<typeof story.trace>, step: number, id: string): Panel {
  const panel = story.scene(t, step).panels.find((one) => one.id === id);
  if (!panel) throw new Error(`found no panel ${id}`);
  return panel;
}

/** What is measured below the matrix: [x, width, text]. */
function skipsAt(t: ReturnType<typeof story.trace>, step: number): unknown {
  const { marks } = panelOf(t, step, 'matrix');
  return marks.filter(({ id }) => /^(?:no )?skip/.test(id)).map(({ x, w, text }) => [x, w, text]);
}
