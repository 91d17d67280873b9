import { describe, expect, it } from 'vitest';
import { columnsMatrix, matrixOf, uniformMatrix } from '../../../../test/matrices.ts';
import { denseMatrix, type Matrix } from '../../../core/matrix/index.ts';
import { narrationText } from '../../../core/story/scene.ts';
import type { TwellParams } from '../params.ts';
import { story } from './index.ts';
import { trace, type TwellStep, type TwellTrace } from './trace.ts';

const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };

/** Words of the first step of a kind, with `about` where it has one. */
function words(t: TwellTrace, kind: TwellStep['kind'], about?: string): string {
  const at = t.steps.findIndex(
    ({ detail }) => detail.kind === kind && (!about || ('about' in detail && detail.about === about)),
  );
  return narrationText(story.scene(t, at + 1));
}

describe('the story of TwELL', () => {
  it('has nine chapters, whatever the window holds', () => {
    const windows: readonly Matrix[] = [
      uniformMatrix(6, 30, 0.1, 1),
      uniformMatrix(6, 30, 1, 1),
      denseMatrix(4, 16, new Float32Array(64)),
      denseMatrix(0, 16, new Float32Array(0)),
      denseMatrix(4, 0, new Float32Array(0)),
    ];
    for (const window of windows) {
      const { chapters } = story.trace(window, P);
      expect(chapters.map(({ title }) => title)).toEqual([
        'Why not ELL',
        'Gate',
        'Tiles',
        'The word',
        'Overflow',
        'Up and down',
        'Hybrid',
        'Backward',
        'Skipped',
      ]);
      for (const { stepCount } of chapters) expect(stepCount).toBeGreaterThan(0);
    }
  });

  it('finishes a tile before the one to its left, and packs empty tokens in one step', () => {
    const t = trace(columnsMatrix(16, [[9], [], [], [0, 15]]), P);
    const steps = t.steps.map(({ detail }) => detail).filter(({ kind }) => ['pack', 'empty', 'tile'].includes(kind));
    expect(steps).toEqual([
      { kind: 'pack', tile: 1, row: 0 },
      { kind: 'empty', tile: 1, row: 1, rows: 2 },
      { kind: 'pack', tile: 1, row: 3 },
      { kind: 'tile', tile: 1 },
      { kind: 'empty', tile: 0, row: 0, rows: 3 },
      { kind: 'pack', tile: 0, row: 3 },
      { kind: 'tile', tile: 0 },
    ]);
  });

  it('says which token overflows where, that such a matrix is refused, and continues with the others', () => {
    const window = matrixOf([1, 1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 0, 0, 3]);
    expect(story.tracesRefused?.(window, P)).toBe(true);
    const t = trace(window, P);
    expect(t.kept.nnz).toBe(2);
    expect(words(t, 'overflow', 'hot')).toContain(
      'Token 0 has 5 non-zeros in tile 0, where 3 fit: 2 have no place. TwELL refuses such a matrix',
    );
    expect(words(t, 'row')).toContain('not stored');
  });

  it('counts all tokens in what is skipped, including those that do not fit', () => {
    const t = trace(matrixOf([1, 1, 1, 1, 1, 1, 1, 1, 1]), P);
    expect(t.kept.nnz).toBe(0);
    expect(words(t, 'skipped', 'adds')).toContain('9 of 9 neurons per input and skip 0\u202f%');
    expect(words(t, 'skipped', 'adds')).toContain('1 token without room');
    expect(words(t, 'skipped', 'limit')).toContain('over 100\u202f% of the neurons: at most 1.00 times');
  });

  it('invents a hot token if none overflows, and finds what would hold it', () => {
    const t = trace(columnsMatrix(16, [[0, 2, 9], [5]]), { ...P, tileWidth: 16, compression: 4 });
    expect(story.tracesRefused?.(t.window, t.params)).toBe(false);
    expect([t.hot.real, t.hot.columns.length]).toEqual([3, 5]);
    expect(words(t, 'overflow', 'hot')).toContain('2 have no place');
    expect(words(t, 'overflow', 'lower')).toContain('compression 2 instead of 4');
  });

  it('lets no curve enter a panel from above through its title', () => {
    for (const layout of ['packed', 'split'] as const) {
      const t = trace(uniformMatrix(6, 30, 0.1, 1), { ...P, layout });
      const entered = t.steps.flatMap((_, i) => {
        const { panels, links } = story.scene(t, i + 1);
        const panelOf = (id: string) => panels.findIndex(({ marks }) => marks.some((mark) => mark.id === id));
        return links.flatMap(({ from, to }) => panels.slice(panelOf(from) + 1, panelOf(to) + 1));
      });
      expect(new Set(entered.map(({ id }) => id))).toEqual(new Set(['now', 'block']));
      for (const { title, caption } of entered) expect([title, caption]).toEqual([undefined, undefined]);
    }
  });

  it('keeps the tile of a non-zero in view while a token is walked', () => {
    const t = trace(columnsMatrix(64, [[60], [3, 5]]), P);
    const shown = t.steps.flatMap(({ detail }, i) => {
      if (detail.kind !== 'row') return [];
      return [story.scene(t, i + 1).panels.find(({ id }) => id === 'packed')?.caption];
    });
    expect(shown).toEqual(['4 words a tile; tiles 6 to 7 of 8', '4 words a tile; tiles 0 to 1 of 8']);
  });

  it('frames all tokens that a step is about', () => {
    const t = trace(columnsMatrix(16, [[9], [], [], [0, 15]]), P);
    const { panels } = story.scene(t, t.steps.findIndex(({ detail }) => detail.kind === 'empty') + 1);
    const marks = panels.flatMap((panel) => panel.marks);
    expect(marks.find(({ id }) => id === 'tile row')).toMatchObject({ y: 1, h: 2, label: 'tokens 1 to 2, tile 1' });
    expect(marks.filter(({ id, focus }) => focus && id.startsWith('count')).map(({ id }) => id)).toEqual([
      'count 3',
      'count 5',
    ]);
  });

  it('narrates what the published kernels lose of a tile row that overflows, wrapping or not', () => {
    // 32 words, as in the paper.
    const wide: TwellParams = { ...P, tileWidth: 128, compression: 4 };
    const columns = (count: number): number[] => Array.from({ length: count }, (_, c) => c);
    const published = (count: number): string[] => {
      const t = trace(columnsMatrix(128, [columns(count)]), wide);
      return t.steps.flatMap(({ detail }, i) =>
        detail.kind === 'published' ? [narrationText(story.scene(t, i + 1))] : [],
      );
    };
    expect(published(32)).toEqual([
      'The published kernel carries on. If it wraps after word 32, column 31 is lost, and the count is read as value 0.',
      'If it goes on, 1 lies in the padding after the row: column 31 is lost, and the count is read as value 0.',
    ]);
    expect(published(33)[0]).toContain('columns 0 and 31 are lost, column 32 is counted again, and the count is read');
    expect(published(40)[1]).toContain(
      '4 lie in the padding after the row, 5 in the row below, the first over its count: 9 of 40 are lost, 8 are counted again, and',
    );
    expect(published(31)[0]).toContain('columns 0 and 31 are lost');
    expect(
      trace(columnsMatrix(8, [[0]]), { ...P, layout: 'split' }).steps.map(({ detail }) => detail.kind),
    ).not.toContain('published');
  });

  it('says where the clamped counts of the published conversion send a token', () => {
    const eight = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(words(trace(columnsMatrix(8, [eight]), P), 'route')).toContain(
      'clamps each tile to 4 slots and counts 4: the token stays compact and loses 4.',
    );
    expect(words(trace(columnsMatrix(16, [[...eight, 9]]), P), 'route')).toMatch(
      /clamps each tile to 4 slots and counts 5\.$/,
    );
    expect(words(trace(columnsMatrix(16, [[0, 1, 2, 8, 9]]), P), 'route')).toMatch(/whole into tail row 0\.$/);
  });

  it('explains the example of the definition if the window is empty', () => {
    const t = trace(denseMatrix(2, 16, new Float32Array(32)), P);
    expect(words(t, 'word', 'word')).toContain('0x3F80012C = 1\u202f065\u202f353\u202f516');
  });

  it('says how many values ReLU would have removed', () => {
    expect(narrationText(story.scene(trace(matrixOf([-1, 2, -3]), P), 0))).toContain('the 2 here are');
    expect(narrationText(story.scene(trace(matrixOf([-1, 2, 3]), P), 0))).toContain('the 1 here is kept');
    expect(narrationText(story.scene(trace(matrixOf([1, 2, 3]), P), 0))).not.toContain('negative');
  });
});
