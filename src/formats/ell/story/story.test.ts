import { describe, expect, it } from 'vitest';
import { columnsMatrix, uniformMatrix } from '../../../../test/matrices.ts';
import type { EllParams } from '../params.ts';
import { story } from './index.ts';
import { trace } from './trace.ts';

const P: EllParams = { valueType: 'f16', indexBits: 32 };

describe('the story of ELL', () => {
  it('lets no curve enter a panel through its title: its target is right below the cells', () => {
    // More rows than are in view.
    const t = trace(uniformMatrix(20, 30, 0.1, 1), P);
    let curves = 0;
    t.steps.forEach(({ detail: { kind } }, i) => {
      const { panels, links } = story.scene(t, i + 1);
      curves += links.length;
      if (links.length === 0) return;
      const [cells, below] = panels;
      const [{ from, to }] = links;
      expect([cells.id, below.id]).toEqual(['matrix', kind === 'count' ? 'counts' : 'now']);
      expect([below.title, below.caption]).toEqual([undefined, undefined]);
      // Alone on their lines: nothing of a band moves between them on a small screen.
      expect([cells.band, below.band]).toEqual([undefined, undefined]);
      expect(cells.marks.map(({ id }) => id)).toContain(from);
      expect(below.marks.map(({ id }) => id)).toContain(to);
    });
    expect(curves).toBe(20 + t.encoded.nnz);
  });

  it('fills a row separately, including its padding, and shows all rows side by side once they are packed', () => {
    const t = trace(columnsMatrix(12, [[3, 9], [], [0, 1, 5]]), P);
    const drawn = t.steps.flatMap(({ detail }, i) => {
      const now = story.scene(t, i + 1).panels.find(({ id }) => id === 'now');
      return now ? [`${detail.kind}: ${now.marks.map(({ tone, state }) => state ?? tone).join(' ')}`] : [];
    });
    expect(drawn).toEqual([
      'slot: values ghost ghost',
      'slot: values values ghost',
      'padding: values values padding',
      'padding: padding padding padding',
      'slot: values ghost ghost',
      'slot: values values ghost',
      'slot: values values values',
    ]);
    const bands = t.steps.map(({ detail }, i) => {
      const banded = story.scene(t, i + 1).panels.filter(({ band }) => band === 0);
      return [detail.kind, banded.map(({ id }) => id).join(' ')];
    });
    expect(new Map(bands.map(([kind, ids]) => [kind, ids]))).toEqual(
      new Map([
        ['count', ''],
        ['allocate', ''],
        ['slot', ''],
        ['padding', ''],
        ['packed', 'matrix slots'],
        ['round', 'matrix slots'],
        ['multiplied', 'matrix slots'],
      ]),
    );
  });
});
