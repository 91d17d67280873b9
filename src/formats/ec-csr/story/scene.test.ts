import { denseMatrix } from '../../../core/matrix/index.ts';
import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { defaultParams, stageParams } from '../../../core/format.ts';
import { narrationText, type Panel, type Scene } from '../../../core/story/scene.ts';
import { params } from '../params.ts';
import { scene } from './scene.ts';
import { trace } from './trace.ts';

/** Rows 0 and 3 share nine columns, rows 5 and 6 twelve. */
const WINDOW = columnsMatrix(32, [
  [1, 2, 3, 5, 8, 9, 12, 15, 20, 21, 26, 30],
  [5, 15, 16, 31],
  [11, 17, 18],
  [2, 3, 5, 6, 8, 9, 12, 15, 17, 20, 21, 28],
  [2, 10, 12, 15, 16, 17, 29, 30],
  [0, 4, 7, 10, 12, 13, 14, 18, 19, 21, 23, 24, 25, 29, 30],
  [0, 4, 6, 7, 10, 13, 18, 19, 21, 23, 24, 25, 26, 28, 29],
  [6, 7, 11, 15, 20, 21],
]);

const STORY = trace(WINDOW, stageParams(params, defaultParams(params)));

function panel(s: Scene, id: string): Panel {
  const found = s.panels.find((p) => p.id === id);
  if (!found) throw new Error(`found no panel ${id}`);
  return found;
}

/** The scene after the first step that `wanted` accepts. */
function sceneOf(wanted: (kind: string) => boolean): Scene {
  return scene(STORY, STORY.steps.findIndex((step) => wanted(step.detail.kind)) + 1);
}

describe('the story of extraction', () => {
  it('begins with what is drawn instead of 32 lanes of 4', () => {
    expect(narrationText(scene(STORY, 0))).toContain(
      'at least 4 columns go into one block, which lists the columns once. On a GPU, a block needs 128 columns.',
    );
  });

  it('shows row 0 matched with row 3, nine shared columns, eight of which are extracted', () => {
    const match = sceneOf((kind) => kind === 'match');
    expect(
      panel(match, 'overlap')
        .marks.filter((m) => m.focus)
        .map((m) => [m.id, m.text]),
    ).toEqual([['overlap 0 0,3', '9']]);
    const extract = sceneOf((kind) => kind === 'extract');
    expect(narrationText(extract)).toBe(
      'Row 0 and row 3 share 9 columns. A block takes 4, 8, 12 ...: 8 go in, 1 stays.',
    );
    expect(panel(extract, 'block').marks).toHaveLength(16);
    expect(extract.links.map((l) => l.from)).toEqual([2, 3, 5, 8, 9, 12, 15, 20].map((c) => `cell 3,${c}`));
  });

  it('counts what rows still share in the second round', () => {
    const second = STORY.steps.findIndex(
      ({ detail }) => detail.kind === 'match' && STORY.pairs[detail.pair].round === 1,
    );
    const { detail } = STORY.steps[second];
    const pair = detail.kind === 'match' ? STORY.pairs[detail.pair] : null;
    const focus = panel(scene(STORY, second + 1), 'overlap').marks.find((m) => m.focus);
    expect(focus?.text).toBe(String(pair?.shared.length));
  });
});

describe('the story of the multiply', () => {
  it('links each gather once and shows a product for every row of the block', () => {
    const gather = sceneOf((kind) => kind === 'gather');
    expect(gather.links).toHaveLength(4);
    expect(panel(gather, 'products').marks.filter((m) => m.id.startsWith('product'))).toHaveLength(8);
  });

  it('adds the partial sums of every block that has the row', () => {
    const row = sceneOf((kind) => kind === 'row');
    const blocks = STORY.sets.flatMap((set) => set.blocks).filter((b) => b.rows.includes(0));
    expect(panel(row, 'meeting').marks).toHaveLength(blocks.length);
    expect(row.links.map((l) => l.to)).toEqual(blocks.map(() => 'y[0]'));
  });
});

it('regression: rows are named by their numbers where rows before them are empty', () => {
  const cells = new Float32Array(4 * 12).fill(1, 12, 24).fill(1, 36);
  const t = trace(denseMatrix(4, 12, cells), { ...defaultParams(params), lanes: 8, vectorSize: 1 });
  const narrations = t.steps.map((_, i) => narrationText(scene(t, i + 1)));
  expect(narrations).toContain('Of the free rows, row 3 shares the most with row 1: 12 columns. They become a pair.');
});
