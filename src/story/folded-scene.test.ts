import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../test/matrices.ts';
import { box, frame } from './marks.ts';
import { foldedScene } from './folded-scene.ts';
import { cellName, matrixPanel, rowFrame } from './scene-parts.ts';
import type { Scene } from './scene.ts';

const WIDE = columnsMatrix(400, [[398], [], [20, 22]]);
const position = { row: 149, col: 1000 };

const sceneOf = (window: ReturnType<typeof columnsMatrix>): Scene => ({
  panels: [matrixPanel(window, { row: 0, origin: position, overlay: rowFrame(window, 2, position.row) })],
  links: [],
  narration: [],
  code: null,
});

describe('foldedScene (which draws a run of empty columns as one fold)', () => {
  const { panels } = foldedScene(sceneOf(WIDE), { window: WIDE, origin: position });
  const [{ marks, columnLabels, rowLabels, columns, grid }] = panels;
  const markOf = (id: string) => marks.find((mark) => mark.id === id);

  it('folds empty columns, with their count', () => {
    expect(marks.flatMap(({ id, text }) => (id.startsWith('fold ') ? [text] : []))).toEqual(['20 empty', '375 empty']);
    // Four units each, and 20 to 22, 398 and 399.
    expect(columns).toBe(4 + 3 + 4 + 2);
    expect([cellName(2, 20), cellName(2, 22), cellName(0, 398)].map((id) => markOf(id)?.x)).toEqual([4, 6, 11]);
    expect(markOf('row')).toMatchObject({ x: 0, w: 13 });
    expect(grid?.drawnColumns).toEqual([-1, -1, -1, -1, 20, 21, 22, -1, -1, -1, -1, 398, 399]);
  });

  it('foldedScene keeps the numbers of the matrix on its axes and in its labels', () => {
    expect(columnLabels?.map(({ text }) => text)).toEqual(['1020', '1021', '1022', '1398', '1399']);
    expect(rowLabels?.map(({ text }) => text)).toEqual(['149', '150', '151']);
    expect(markOf(cellName(0, 398))?.label).toMatch(/^row 149, column 1398: /);
    expect(markOf('row')?.label).toBe('row 151');
    expect(markOf('fold 0')?.label).toBe('columns 1000 to 1019: empty');
  });

  it('foldedScene returns the scene itself if the region begins with the matrix and is narrow', () => {
    const narrow = columnsMatrix(64, [[3]]);
    const scene = sceneOf(narrow);
    expect(foldedScene(scene, { window: narrow })).toBe(scene);
  });

  it('leaves panels with other columns unchanged, and drops links to a folded cell', () => {
    const x = { id: 'x', unit: 'cell', columns: 400, rows: 1, marks: [box('x 5', 5, 0), box('x 20', 20, 0)] } as const;
    const list = { id: 'list', unit: 'slot', columns: 400, rows: 1, marks: [frame('all', 0, 0, 9, 1)] } as const;
    const links = ['x 5', 'x 20'].map((to) => ({ id: to, from: 'all', to, kind: 'curve', tone: 'neutral' }) as const);
    const folded = foldedScene({ panels: [x, list], links, narration: [], code: null }, { window: WIDE });
    expect(folded.panels[0].marks.map(({ id, x: left }) => [id, left])).toEqual([['x 20', 4]]);
    expect(folded.panels[1]).toEqual(list);
    expect(folded.links.map(({ id }) => id)).toEqual(['x 20']);
  });
});
