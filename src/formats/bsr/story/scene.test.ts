import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import type { Mark, Scene } from '../../../core/story/scene.ts';
import { BLOCK_SIZES, type BsrParams } from '../params.ts';
import { story } from './index.ts';

/** Blocks of 4 × 4: two in block row 0, one in block row 1, none in block row 2. */
const WINDOW = columnsMatrix(32, [[4, 5], [5, 28], [], [], [], [12, 13, 14, 15], [], [], [], [], [], []]);

const P4: BsrParams = { blockSize: 4, valueType: 'f16' };

function scenes(params: BsrParams): readonly Scene[] {
  const t = story.trace(WINDOW, params);
  return Array.from({ length: t.steps.length + 1 }, (_, step) => story.scene(t, step));
}

/** Scenes of the steps of one kind. */
function scenesOf(kind: string): readonly Scene[] {
  const t = story.trace(WINDOW, P4);
  return t.steps.flatMap(({ detail }, i) => (detail.kind === kind ? [story.scene(t, i + 1)] : []));
}

function marksOf({ panels }: Scene, shape: Mark['shape'], ofPanel?: string): readonly Mark[] {
  return panels.flatMap(({ id, marks }) =>
    (ofPanel ?? id) === id ? marks.filter((mark) => mark.shape === shape) : [],
  );
}

describe('bsr scene', () => {
  it('draws the whole grid before a block is counted, and then a stronger frame for what is stored', () => {
    const [start] = scenes(P4);
    const grid = marksOf(start, 'frame', 'matrix');
    expect(grid).toHaveLength(3 * 8);
    expect(grid.every(({ state }) => state === 'dim')).toBe(true);
    const packed = marksOf(scenesOf('packed')[0], 'frame', 'matrix').filter(({ state }) => state !== 'dim');
    expect(packed.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['block 0', 4, 0],
      ['block 1', 28, 0],
      ['block 2', 12, 4],
    ]);
  });

  it('outlines a block once for all of its cells, above the frames of its neighbours', () => {
    for (const scene of [...scenesOf('block'), ...scenesOf('product')]) {
      const outlined = marksOf(scene, 'frame').filter(({ focus }) => focus);
      expect(outlined.map(({ id }) => id.replace(/\d+$/, ''))).toEqual(['block ', 'stored block ']);
      expect(marksOf(scene, 'frame', 'matrix').at(-1)?.focus).toBe(true);
      expect(marksOf(scene, 'box', 'blocks').filter(({ focus }) => focus)).toEqual([]);
    }
  });

  it('ends every curve in the panel right below, which has no title in its way, and not on a number', () => {
    for (const blockSize of BLOCK_SIZES) {
      const curved = scenes({ blockSize, valueType: 'f16' }).filter(({ links }) => links.length > 0);
      expect(curved.length).toBeGreaterThan(0);
      for (const { panels, links } of curved) {
        const panelOf = (id: string) => panels.findIndex(({ marks }) => marks.some((mark) => mark.id === id));
        for (const { from, to } of links) {
          const panel = panels[panelOf(to)];
          expect(panelOf(to), `${from} -> ${to}`).toBe(panelOf(from) + 1);
          expect([panel.title, panel.caption]).toEqual([undefined, undefined]);
          const x = panel.marks.find(({ id }) => id === to)?.x;
          expect(panel.columnLabels?.map(({ at }) => at) ?? []).not.toContain(x);
        }
      }
    }
  });

  it('highlights the zeros of a block row only in the step that is about them', () => {
    const shades = (scene: Scene): readonly (number | undefined)[] => [
      ...new Set(
        marksOf(scene, 'box', 'blocks')
          .filter((m) => m.tone === 'padding')
          .map(({ level }) => level),
      ),
    ];
    expect(scenesOf('zeros').map(shades)).toEqual([
      [1, 0.3],
      [0.3, 1],
    ]);
    for (const scene of [...scenesOf('packed'), ...scenesOf('product'), ...scenesOf('sum')]) {
      expect(shades(scene)).toEqual([0.3]);
    }
  });

  it('shows all blocks of a row if the step is about the row', () => {
    // Block row 0 has 20 blocks, of which 16 fit; block row 1 has the last 6.
    const wide = columnsMatrix(40, [
      Array.from({ length: 20 }, (_, i) => 2 * i),
      [],
      Array.from({ length: 6 }, (_, i) => 2 * i),
    ]);
    const t = story.trace(wide, { blockSize: 2, valueType: 'f16' });
    const shown = t.steps.flatMap(({ detail }, i) => {
      if (detail.kind !== 'zeros') return [];
      return [marksOf(story.scene(t, i + 1), 'bracket', 'blocks').map(({ text }) => Number(text))];
    });
    expect(shown.map((blocks) => [blocks[0], blocks.at(-1)])).toEqual([
      [0, 15],
      [10, 25],
    ]);
  });
});
