import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLinkCells } from '../../core/cells/link-cells.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { formats } from '../../formats/registry.ts';
import { type CsrMatrix, toDense } from '../../core/matrix/index.ts';
import { BENCH_REQUEST } from '../../../test/fake-engine.ts';
import { realSession, startingWith } from '../../../test/real-session.ts';
import { loadStory } from '../../story/format-story.ts';
import { decodeHash, encodeHash } from '../url.ts';
import { newJob, visibleStory } from './session-state.ts';

const catalog = startingWith({ rows: 120, density: 0.5 }, 'macko', 'csr');

const denseOf = (m: CsrMatrix): number[] => [...toDense(m)];

async function startedSession(hash?: string, formatList = formats) {
  const { session, player, document, start } = realSession(catalog, hash, formatList);
  await start();
  const { window } = session.store.getState();
  if (!window) throw new Error('no window');
  const cells = () => denseOf(session.store.getState().window ?? window);
  return { session, player, document, cells, cols: window.cols, originalCells: denseOf(window) };
}

it('cells are set and cleared in the window, the matrix is unchanged, and a link opens the edited window', async () => {
  const { session, document, cells, cols, originalCells } = await startedSession();
  const documentBefore = document.getState();
  const { summary } = session.store.getState();
  const emptyCell = originalCells.indexOf(0);
  const firstNonZero = originalCells.findIndex((value) => value !== 0);
  for (const cell of [emptyCell, firstNonZero])
    await session.changeCell({ row: Math.floor(cell / cols), col: cell % cols });
  const sizes = originalCells.filter((value) => value !== 0).map(Math.abs);
  // A new weight has about the median magnitude.
  expect(sizes.filter((size) => size <= cells()[emptyCell] * 1.001).length).toBeCloseTo(sizes.length / 2, -1);
  expect(cells()[firstNonZero]).toBe(0);
  // The other values are rounded to four digits, as in a link.
  for (const [i, value] of originalCells.entries())
    if (i !== emptyCell && i !== firstNonZero) expect(cells()[i]).toBeCloseTo(value, 3);
  expect(session.store.getState()).toMatchObject({ summary, rejectedEdit: null, error: null, opening: null });
  expect(document.getState()).toMatchObject({ source: documentBefore.source, window: documentBefore.window });
  const hash = encodeHash(document.getState(), catalog);
  const openedLink = await startedSession(hash);
  expect(openedLink.cells()).toEqual(cells());
  expect(encodeHash(openedLink.document.getState(), catalog)).toBe(hash);
});

it('a cell that is cleared and set again has its original weight, and the document then has no edits', async () => {
  const { session, document, cells, cols, originalCells } = await startedSession();
  const firstNonZero = originalCells.findIndex((value) => value !== 0);
  const index = { row: Math.floor(firstNonZero / cols), col: firstNonZero % cols };
  await session.changeCell(index);
  expect(document.getState().edited).not.toBeNull();
  await session.changeCell(index);
  expect([document.getState().edited, cells()]).toEqual([null, originalCells]);
});

it('edits are gone after an undo, a return to the document before, a pruning, or another window', async () => {
  const { session, document, cells, originalCells } = await startedSession();
  const documentBefore = document.getState();
  await session.changeCell({ row: 0, col: 0 });
  session.undoEdits();
  expect(cells()).toEqual(originalCells);
  await session.changeCell({ row: 0, col: 0 });
  await session.restore(documentBefore);
  expect(cells()).toEqual(originalCells);
  await session.changeCell({ row: 0, col: 0 });
  await session.prune({ way: 'n-of-m', kept: 1, group: 4 });
  expect(document.getState().edited).toBeNull();
  await session.changeCell({ row: 0, col: 0 });
  session.setWindow({ row: 3, col: 8, rows: 2, cols: 4 });
  expect(document.getState().edited).toBeNull();
  await expect.poll(() => cells().length).toBe(8);
});

it('an edit rebuilds the story, which stays at its step, or at the frame with the same id', async () => {
  const { session, player, document, cells, cols } = await startedSession();
  const idNow = () => {
    const { frame, frames } = player.store.getState();
    return frames[(frame ?? 0) - 1]?.scriptFrame?.id;
  };
  const ids = () => player.store.getState().frames.map(({ scriptFrame }) => scriptFrame?.id);
  // A weight only in the last column: the skip to it is wider than four bits count, regardless of earlier weights.
  const row = cells().slice(0, cols);
  for (const [col, value] of row.entries()) {
    if (value !== 0 && col < cols - 1) await session.changeCell({ row: 0, col });
  }
  if (cells()[cols - 1] === 0) await session.changeCell({ row: 0, col: cols - 1 });
  const frameCount = ids().length;
  player.goTo(frameCount);
  const frameId = idNow();
  await session.changeCell({ row: 0, col: 4 });
  expect(idNow()).toBe(frameId);
  expect(player.isOfDocument()).toBe(true);
  // Without weights the story has fewer frames, one of which still has this id.
  for (const [i, value] of cells().entries()) {
    if (value !== 0) await session.changeCell({ row: Math.floor(i / cols), col: i % cols });
  }
  expect(cells().every((value) => value === 0)).toBe(true);
  expect(ids().length).toBeLessThan(frameCount);
  expect(idNow()).toBe(frameId);
  session.undoEdits();
  player.setEveryStep(true);
  player.seek(7);
  await session.changeCell({ row: 0, col: 0 });
  expect(document.getState()).toMatchObject({ frame: null, step: 7 });
  expect(session.store.getState().problems).toEqual([]);
});

it('a value moves to an empty cell of its row, and back, but not to a cell with another value', async () => {
  const { session, document, cells, cols, originalCells } = await startedSession();
  const row = originalCells.slice(0, cols);
  const [fromCol, toCol] = [row.findIndex((value) => value !== 0), row.indexOf(0)];
  await session.changeCell({ row: 0, col: fromCol }, { kind: 'move', toCol });
  expect(session.store.getState().pressedCell).toEqual({ row: 0, col: toCol });
  expect(cells()[toCol]).toBeCloseTo(originalCells[fromCol], 3);
  expect(cells()[fromCol]).toBe(0);
  expect(cells().filter((value) => value !== 0).length).toBe(originalCells.filter((value) => value !== 0).length);
  const otherCol = row.findLastIndex((value) => value !== 0);
  const { edited } = document.getState();
  await session.changeCell({ row: 0, col: toCol }, { kind: 'move', toCol: otherCol });
  await session.changeCell({ row: 0, col: fromCol }, { kind: 'move', toCol: otherCol });
  await session.changeCell({ row: 0, col: fromCol }, { kind: 'move', toCol: row.indexOf(0, toCol + 1) });
  expect([document.getState().edited, session.store.getState().pressedCell]).toEqual([edited, { row: 0, col: toCol }]);
  await session.changeCell({ row: 0, col: toCol }, { kind: 'move', toCol: fromCol });
  expect([document.getState().edited, cells()]).toEqual([null, originalCells]);
});

it.each(['macko', 'slidesparse', 'twell'])(
  'the story of %s shows mostly the row that was edited last',
  async (format) => {
    const link = `#2/watch?src=generated:uniform&shape=4x32&density=0.1&seed=1&a=${format}&b=none&win=0,0,4,32`;
    const { session, document } = await startedSession(link);
    /** rows of the cells that the frames show, the most often first: a first frame shows all */
    const rowsShown = (): readonly string[] => {
      const { timeline } = session.store.getState();
      const frames = timeline?.frames.flatMap(({ scriptFrame }) => scriptFrame ?? []) ?? [];
      const context = { layout: 'wide', wholeMatrix: null, recordedTimes: null } as const;
      const ids = frames.flatMap((frame) => frame.draw(frame.moves.length - 1, context).marks.map(({ id }) => id));
      const rows = ids.flatMap((id) => /^cell (\d+),/.exec(id)?.[1] ?? []);
      return [...new Set(rows)].toSorted((a, b) => countOf(rows, b) - countOf(rows, a));
    };
    const countOf = (rows: readonly string[], row: string): number => rows.filter((other) => other === row).length;
    for (const row of [3, 1, 2]) {
      await session.changeCell({ row, col: 4 });
      expect(session.store.getState()).toMatchObject({ rejectedEdit: null, pressedCell: { row, col: 4 } });
      expect(rowsShown()[0]).toBe(String(row));
    }
    session.undoEdits();
    expect([session.store.getState().pressedCell, document.getState().edited]).toEqual([null, null]);
  },
);

it('no cell is changed before there is a matrix, in a preview, or during a run, which is reported', async () => {
  const { session, document, start } = realSession(catalog);
  const state = () => [document.getState().edited, session.store.getState().error];
  await session.changeCell({ row: 0, col: 0 });
  expect(state()).toEqual([null, null]);
  await start();
  session.store.setState({ previewing: true });
  await session.changeCell({ row: 0, col: 0 });
  expect(state()).toEqual([null, null]);
  const { bench } = session.store.getState();
  const running = { job: newJob('Measuring'), request: BENCH_REQUEST, run: null };
  session.store.setState({ previewing: false, bench: { ...bench, running } });
  await session.changeCell({ row: 0, col: 0 });
  expect(state()).toEqual([null, 'A run is in progress: cancel it, or wait, before you edit the region.']);
});

it('an edit that a format rejects changes nothing, and a message gives the reason', async () => {
  /** the number of weights that the format accepts */
  let maxWeights = Number.POSITIVE_INFINITY;
  const strictFormats = formats.map((format) => {
    if (format.id !== 'macko') return format;
    const story = async () => ({
      ...(await loadStory(format)),
      admits: ({ nnz }: Pick<CsrMatrix, 'nnz'>) =>
        nnz <= maxWeights
          ? ({ ok: true, notes: [] } as const)
          : ({ ok: false, reason: `weights: found ${nnz}, expected at most ${maxWeights}`, remedy: null } as const),
    });
    return { ...format, story };
  });
  const { session, player, document, cells, cols, originalCells } = await startedSession(undefined, strictFormats);
  maxWeights = originalCells.filter((value) => value !== 0).length;
  const stateBefore = session.store.getState();
  await session.changeCell({ row: 0, col: originalCells.indexOf(0) % cols });
  const { rejectedEdit: rejection, trace, error } = session.store.getState();
  expect(rejection).toBe(`In this region: weights: found ${maxWeights + 1}, expected at most ${maxWeights}.`);
  expect(visibleStory(trace)?.trace).toBe(visibleStory(stateBefore.trace)?.trace);
  expect([error, document.getState().edited, cells()]).toEqual([null, null, originalCells]);
  // The message belongs to its frame; a later one stays.
  const rejected = () => session.store.getState().rejectedEdit;
  player.setSpeed(2);
  expect(rejected()).toBe(rejection);
  player.goTo(2);
  expect(rejected()).toBeNull();
  await session.changeCell({ row: 0, col: originalCells.indexOf(0) % cols });
  expect(rejected()).toBe(rejection);
  session.store.setState({ rejectedEdit: 'later' });
  player.goTo(3);
  expect(rejected()).toBe('later');
  const firstNonZero = originalCells.findIndex((value) => value !== 0);
  await session.changeCell({ row: Math.floor(firstNonZero / cols), col: firstNonZero % cols });
  expect([session.store.getState().rejectedEdit, cells()[firstNonZero]]).toEqual([null, 0]);
});

it('edited cells outside of the matrix are dropped, and so are edited cells of a file that is gone', async () => {
  const { document } = await startedSession('#2/watch?src=generated:uniform&shape=8x8&own=6,0,4,4:,,,0:1');
  expect(document.getState().edited).toBeNull();
  const decoded = decodeHash('#2/watch?src=file:gone.npy&own=3,4,1,4:1:0.5;3:-2', catalog);
  expect(decoded.document).toMatchObject({ window: null, edited: null });
  expect(decoded.problems).toEqual([expect.stringContaining('This link was made for a file')]);
});

it('nextHighlight moves the window down to a row that shows what is special about the format, else reports that there is none', async () => {
  const { session, document } = await startedSession();
  const { window } = document.getState();
  // Of 96 columns, half of them with a weight, no 16 in a row are empty.
  await session.nextHighlight();
  expect(document.getState().window).toBe(window);
  expect(session.store.getState().rejectedEdit).toBe('No other row shows what is special about this format.');
  session.setFormat('slidesparse');
  const rows = [];
  for (let i = 0; i < 3; i++) {
    await session.nextHighlight();
    rows.push(document.getState().window?.row ?? -1);
  }
  expect([rows, new Set(rows).size]).toEqual([rows.toSorted((a, b) => a - b), 3]);
  expect(session.store.getState().rejectedEdit).toBeNull();
});

it('the window moves with the format, unless the user has chosen a window', async () => {
  const { session, document } = await startedSession();
  const windowNow = () => document.getState().window;
  const windowOfMacko = windowNow();
  session.setFormat('slidesparse');
  await expect.poll(windowNow).not.toEqual(windowOfMacko);
  session.setFormat('macko');
  await expect.poll(windowNow).toEqual(windowOfMacko);
  const chosenWindow = { row: 7, col: 3, rows: 5, cols: 32 };
  session.setWindow(chosenWindow);
  session.setFormat('slidesparse');
  // After these, every earlier request has been answered.
  for (let i = 0; i < 3; i++) await session.cells(chosenWindow);
  expect(windowNow()).toEqual(chosenWindow);
});

describe('a matrix that the address contains', () => {
  const OWN = '#2/watch?src=cells:0:1;2:2,1:3,0:0.25,&shape=4x4&name=a.csv&a=macko&b=csr';
  const cellsOf = ({ source }: { readonly source: MatrixSource }): string | null =>
    source.kind === 'cells' ? source.cells : null;

  it('a matrix that the address contains is replaced by one with the change, so that all pages show it, at the same frame', async () => {
    const { session, player, document, cells } = await startedSession(OWN);
    player.goTo(3);
    const { frame } = document.getState();
    await session.changeCell({ row: 3, col: 3 }, { kind: 'set', value: Math.fround(0.1234567) });
    expect(cellsOf(document.getState())).toBe('0:1;2:2,1:3,0:0.25,3:0.1234567');
    expect(document.getState()).toMatchObject({ edited: null, frame, source: { name: 'a.csv, edited' } });
    expect(session.store.getState().summary).toMatchObject({ nnz: 5, name: 'a.csv, edited' });
    expect(cells()[15]).toBe(Math.fround(0.1234567));
  });

  it('has the same cells as a model after any changes in any windows', async () => {
    const [height, width] = [5, 6];
    const change = fc.record({
      // the corner of the window, which goes to the last column
      top: fc.nat(4),
      left: fc.nat(5),
      rows: fc.integer({ min: 1, max: 5 }),
      row: fc.nat(4),
      col: fc.nat(5),
      to: fc.nat(5),
      // 0 clears the cell; null moves its value.
      value: fc.option(fc.float({ noNaN: true, noDefaultInfinity: true, min: -9, max: 9 })),
    });
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const { session, document, cells } = await startedSession('#2/watch?src=cells:0:1,,3:2,,5:-1&shape=5x6');
      const model = Array.from({ length: height }, () => new Float32Array(width));
      [model[0][0], model[2][3], model[4][5]] = [1, 2, -1];
      for (const { top, left, value, to, ...position } of changes) {
        const window = { row: top, col: left, rows: Math.min(position.rows, height - top), cols: width - left };
        session.setWindow(window);
        const inWindow = () => model.slice(top, top + window.rows).flatMap((line) => Array.from(line.subarray(left)));
        await expect.poll(cells).toEqual(inWindow());
        const cell = { row: position.row % window.rows, col: position.col % window.cols };
        const toCol = to % window.cols;
        const line = model[top + cell.row].subarray(left);
        await session.changeCell(cell, value === null ? { kind: 'move', toCol } : { kind: 'set', value });
        if (value !== null) line[cell.col] = value;
        else if (line[toCol] === 0) [line[cell.col], line[toCol]] = [0, line[cell.col]];
        expect(cells()).toEqual(inWindow().map((v) => v + 0));
        const { source } = document.getState();
        expect(source.kind === 'cells' && denseOf(readLinkCells(source.cells, height, width))).toEqual(
          model.flatMap((cellsOfRow) => Array.from(cellsOfRow, (v) => v + 0)),
        );
      }
    });
    await fc.assert(property, { numRuns: 6 });
  });

  it('takes quick changes one after the other, and a cell that is set again has its own value', async () => {
    const { session, document, cells } = await startedSession(OWN);
    const cellsBefore = cellsOf(document.getState());
    await Promise.all([session.changeCell({ row: 2, col: 0 }), session.changeCell({ row: 1, col: 1 })]);
    expect(cellsOf(document.getState())).toBe('0:1;2:2,,,');
    session.setWindow({ row: 1, col: 0, rows: 3, cols: 4 });
    await expect.poll(cells).toHaveLength(12);
    await Promise.all([session.changeCell({ row: 0, col: 1 }), session.changeCell({ row: 1, col: 0 })]);
    expect(cellsOf(document.getState())).toBe(cellsBefore);
  });

  it.each([
    ['', undefined],
    [`&name=${'x'.repeat(92)}`, `${'x'.repeat(92)}, edited`],
    [`&name=${'x'.repeat(93)}`, 'x'.repeat(93)],
    ['&name=a, edited', 'a, edited'],
  ])('is renamed once, within the limit of a name: %.12s', async (query, name) => {
    const { session, document } = await startedSession(`#2/watch?src=cells:0:1,&shape=2x4${query}`);
    await session.changeCell({ row: 1, col: 1 }, { kind: 'set', value: 2 });
    const { source } = document.getState();
    expect([source, session.store.getState().error]).toEqual([
      { kind: 'cells', rows: 2, cols: 4, cells: '0:1,1:2', ...(name !== undefined && { name }) },
      null,
    ]);
  });

  it('stays, with edited cells beside it, where it is too long for an address', async () => {
    const rowOf = (length: number) => Array.from({ length }, (_, col) => `${col}:1`).join(';');
    const lines = [...Array.from({ length: 12 }, () => rowOf(64)), rowOf(57)]; // six characters less than the limit
    const { session, document } = await startedSession(`#2/watch?src=cells:${lines.join(',')}&shape=13x64`);
    const { source } = document.getState();
    await session.changeCell({ row: 12, col: 60 }, { kind: 'set', value: 0.1234 });
    expect([document.getState().source, session.store.getState().error]).toEqual([source, null]);
    expect(document.getState().edited).toMatch(/;60:0\.1234$/);
  });
});

it('a number with more digits than the address of a region has is rejected with a sentence', async () => {
  const { session, cells, originalCells } = await startedSession();
  await session.changeCell({ row: 0, col: 0 }, { kind: 'set', value: 0.12345 });
  expect(session.store.getState().error).toMatch(/Found 0.12345, expected at most four digits/);
  expect(cells()).toEqual(originalCells);
  await session.changeCell({ row: 0, col: 0 }, { kind: 'set', value: 0.1234 });
  expect(cells()[0]).toBeCloseTo(0.1234, 6);
});
