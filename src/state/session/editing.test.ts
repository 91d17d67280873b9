import { expect, it } from 'vitest';
import { formats } from '../../formats/registry.ts';
import { patterns } from '../../generate/patterns.ts';
import { testEngine } from '../../../test/engine.ts';
import { fakeOrigins, memoryRunStore } from '../../../test/fake-engine.ts';
import { PLACES } from '../../../test/places.ts';
import { toDense } from '../../core/matrix/index.ts';
import { type Catalog, createDocumentStore, defaultDocument } from '../document.ts';
import { createPlayer } from '../player.ts';
import { decodeHash, encodeHash } from '../url.ts';
import { createSession } from './session.ts';

const catalog: Catalog = {
  formats,
  patterns,
  places: PLACES,
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'magnitude', rows: 120, cols: 96, density: 0.5, seed: 1 } },
    format: 'macko',
    against: 'csr',
  },
};

async function startedSession(hash = '') {
  const document = createDocumentStore(hash === '' ? defaultDocument(catalog) : decodeHash(hash, catalog).document);
  const player = createPlayer(document);
  const session = createSession({
    engine: testEngine(),
    catalog,
    formats,
    document,
    player,
    origins: fakeOrigins(),
    runStore: async () => memoryRunStore(),
    resolveUrl: (url) => url,
  });
  await session.loadStories();
  await session.start();
  const { window } = session.store.getState();
  if (!window) throw new Error('no window');
  const cells = () => {
    const now = session.store.getState().window;
    return now && [...toDense(now)];
  };
  return { session, player, document, cells, cols: window.cols, before: [...toDense(window)] };
}

it('a window of which a cell is set becomes a matrix of its own, and is the same when it comes by a link', async () => {
  const { session, document, cells, cols, before } = await startedSession();
  const was = document.getState();
  await session.setCell(1, 2, 0.75);
  const { source, window } = document.getState();
  expect(source).toMatchObject({ kind: 'edited', of: was.source, at: was.window });
  expect(window).toEqual({ row: 0, col: 0, rows: was.window?.rows, cols: was.window?.cols });
  expect(session.store.getState()).toMatchObject({ summary: { name: 'edited', cols }, previewing: false });
  expect(cells()?.[cols + 2]).toBe(0.75);
  // Values of four digits, as a link has them.
  for (const [i, value] of before.entries()) {
    if (i !== cols + 2) expect(cells()?.[i]).toBeCloseTo(value, 3);
  }
  const hash = encodeHash(document.getState(), catalog);
  const opened = await startedSession(hash);
  expect(opened.cells()).toEqual(cells());
  expect(encodeHash(opened.document.getState(), catalog)).toBe(hash);
});

it('the story follows at once, at the step where it was, and cells set in quick succession are all there', async () => {
  const { session, player, cells, cols } = await startedSession();
  player.setEveryStep(true);
  player.seek(7);
  const shown: (number | undefined)[] = [];
  session.store.subscribe(({ previewing }) => previewing && shown.push(cells()?.[1]));
  await Promise.all([session.setCell(0, 0, 0), session.setCell(0, 1, 3), session.setCell(0, 2, -2)]);
  expect(shown).toContain(3);
  expect(cells()?.slice(0, 3)).toEqual([0, 3, -2]);
  expect(session.store.getState()).toMatchObject({ previewing: false, error: null, problems: [] });
  expect(player.store.getState().step).toBe(7);
  expect(cells()?.length).toBe(5 * cols);
});

it('what it was a window of is there again: the way back, and the document of before', async () => {
  const { session, document, cells, before } = await startedSession();
  const was = document.getState();
  await session.setCell(0, 0, 5);
  await session.leaveEdited();
  expect(document.getState()).toMatchObject({ source: was.source, window: was.window });
  expect(cells()).toEqual(before);
  await session.setCell(0, 0, 5);
  await session.restore(was);
  expect(cells()).toEqual(before);
});

it('a cell of a part of an edited matrix changes that matrix, and a pruned one becomes another', async () => {
  const { session, document, cells } = await startedSession();
  await session.setCell(4, 9, 2);
  session.setWindow({ row: 3, col: 8, rows: 2, cols: 4 });
  await expect.poll(() => cells()?.length).toBe(8);
  await session.setCell(1, 2, 4);
  expect(cells()?.slice(4)).toEqual(expect.arrayContaining([2, 4]));
  expect(session.store.getState().summary).toMatchObject({ rows: 5, cols: 32 });
  await session.prune({ way: 'n-of-m', kept: 1, group: 4 });
  const pruned = cells();
  const link = encodeHash(document.getState(), catalog);
  expect(link).toContain('own.prune=n-of-m:1:4');
  expect((await startedSession(link)).cells()).toEqual(pruned);
  await session.setCell(0, 0, 1);
  expect(document.getState().source).toMatchObject({ kind: 'edited', of: catalog.start.source });
  expect(session.store.getState().summary).toMatchObject({ rows: 2, cols: 4 });
});

it.each([
  ['own=0,0,65,4:,', 'at most 64 × 64'],
  ['own=0,0,2,4', 'ROW,COLUMN,ROWS,COLUMNS:CELLS'],
  [`own=0,0,1,4:${'1'.repeat(70_000)}`, 'ROW,COLUMN,ROWS,COLUMNS:CELLS'],
])('a link of which the cells are wrong shows the matrix as it is: %.20s', (own, expected) => {
  const { document, problems } = decodeHash(`#2/watch?src=generated:uniform&${own}`, catalog);
  expect(document.source).toMatchObject({ kind: 'generated' });
  expect(problems).toEqual([expect.stringContaining(expected)]);
});

it('cells are enough where the file that they were a window of is gone', () => {
  const { document, problems } = decodeHash('#2/watch?src=file:gone.npy&own=3,4,1,4:1:0.5;3:-2', catalog);
  expect(problems).toEqual([]);
  expect(document.source).toEqual({
    kind: 'edited',
    of: null,
    at: { row: 3, col: 4, rows: 1, cols: 4 },
    cells: '1:0.5;3:-2',
  });
});
