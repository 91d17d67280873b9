import { expect, it } from 'vitest';
import type { Pruning } from '../../engine/matrix/source-types.ts';
import { eventually } from '../../../test/eventually.ts';
import { fakeSession, settle } from '../../../test/fake-engine.ts';
import { realSession, startingWith } from '../../../test/real-session.ts';
import { pausedEngine } from '../../../test/started-session.ts';
import { toDense } from '../../core/matrix/index.ts';

const catalog = startingWith({ rows: 120, density: 0.5 }, 'csr', null);

async function startedSession() {
  const { session, player, document, engine, start } = realSession(catalog);
  await start();
  return {
    session,
    player,
    document,
    requests: () => engine.calls.filter((call) => call === 'matrix.pruningRanks').length,
  };
}

/** Prunings as functions of the position of a slider. */
const SLIDES: readonly (readonly [string, (share: number) => Pruning])[] = [
  ['magnitude', (density) => ({ way: 'magnitude', density })],
  ['rows', (density) => ({ way: 'rows', density })],
  ['random', (density) => ({ way: 'random', density, seed: 1 })],
  ['n-of-m', (share) => ({ way: 'n-of-m', kept: 10 * share, group: 8 })],
];

it.each(SLIDES)(
  '%s: the window follows the slider, and shows the same after the matrix is pruned',
  async (_, pruningOf) => {
    const { session, player, requests } = await startedSession();
    const state = session.store.getState;
    const whole = state();
    session.previewPruning(pruningOf(0.4));
    await expect.poll(() => state().previewing).toBe(true);
    for (const share of [0.3, 0.1, 0.2]) {
      const before = state().trace;
      session.previewPruning(pruningOf(share));
      // at once: nothing was requested
      const { trace, window, summary, encodings } = state();
      expect(trace).not.toBe(before);
      expect(window?.nnz).toBeLessThan(whole.window?.nnz ?? 0);
      expect(summary).toBe(whole.summary);
      expect(Object.keys(encodings)).toEqual(Object.keys(whole.encodings));
      expect(player.store.getState().stepCount).toBe(trace.kind === 'ready' ? trace.trace.steps.length : 0);
    }
    const previewed = state().window;
    await session.prune(pruningOf(0.2));
    expect(state()).toMatchObject({ previewing: false, error: null });
    expect([state().summary?.generation, state().window]).toEqual([2, previewed]);
    // The next drag needs no new request: the ranks are those of the unpruned matrix.
    session.previewPruning(pruningOf(0.3));
    expect([state().previewing, requests()]).toEqual([true, 1]);
  },
);

it('a pruning is visible in the window before the whole matrix is pruned, and a drag meanwhile stays visible', async () => {
  const { session } = await startedSession();
  const state = session.store.getState;
  session.previewPruning({ way: 'n-of-m', kept: 2, group: 4 });
  await expect.poll(() => state().previewing).toBe(true);
  session.previewPruning(null);
  const pruned = session.prune({ way: 'n-of-m', kept: 3, group: 4 });
  expect(state()).toMatchObject({ previewing: true, summary: { generation: 1 } });
  session.previewPruning({ way: 'n-of-m', kept: 1, group: 4 });
  const dragged = state().window;
  await pruned;
  expect(state()).toMatchObject({ previewing: true, summary: { generation: 2 } });
  expect(state().window).toEqual(dragged);
});

it('the window shows the unpruned matrix after the preview is cleared, and after a cancelled pruning', async () => {
  const { session, document, player } = await startedSession();
  const state = session.store.getState;
  const { window, trace } = state();
  player.setEveryStep(true);
  player.last();
  const { step } = document.getState();
  session.previewPruning({ way: 'magnitude', density: 0.1 });
  await expect.poll(() => state().previewing).toBe(true);
  expect(document.getState().step).toBe(step);
  // The preview has a separate step.
  player.first();
  player.nextStepOrChapter();
  expect([document.getState().step, player.store.getState().step]).toEqual([step, 1]);
  session.previewPruning(null);
  expect(state()).toMatchObject({ window, trace, previewing: false });
  expect([document.getState().step, player.store.getState().step]).toEqual([step, step]);
  session.previewPruning({ way: 'magnitude', density: 0.1 });
  expect(state().previewing).toBe(true);
  const pruned = session.prune({ way: 'magnitude', density: 0.1 });
  session.cancelOpening();
  await pruned;
  expect(state()).toMatchObject({ window, trace, previewing: false, summary: { generation: 1 } });
});

it('choosing another format ends the preview', async () => {
  const { session, player } = await startedSession();
  const state = session.store.getState;
  const { window } = state();
  for (const [format, step] of Object.entries({ macko: 0, csr: 3 })) {
    player.seek(step);
    session.previewPruning({ way: 'magnitude', density: 0.1 });
    await expect.poll(() => state().previewing).toBe(true);
    session.setFormat(format);
    expect(state()).toMatchObject({ previewing: false, window });
    expect(state().trace.kind === 'ready' && state().trace).toMatchObject({ trace: { format, window } });
  }
});

it('ranks are requested again for another window', async () => {
  const { session, requests } = await startedSession();
  const state = session.store.getState;
  const pruning: Pruning = { way: 'magnitude', density: 0.1 };
  session.previewPruning(pruning);
  await eventually(() => expect(state().previewing).toBe(true));
  session.previewPruning(null);
  const before = state().window;
  session.setWindow({ row: 60, col: 40, rows: 5, cols: 32 });
  await eventually(() => expect(state().window).not.toBe(before));
  const unpruned = state().window;
  session.previewPruning(pruning);
  await eventually(() => expect(state().previewing).toBe(true));
  const pruned = state().window;
  if (!unpruned || !pruned) throw new Error('found no window, expected both');
  expect(requests()).toBe(2);
  expect(pruned.nnz).toBeGreaterThan(0);
  expect(pruned.nnz).toBeLessThan(unpruned.nnz);
  const cells = toDense(unpruned);
  expect([...toDense(pruned)].filter((value, i) => value !== 0 && value !== cells[i])).toEqual([]);
});

it.each([
  ['are used', false],
  ['are ignored if another matrix was opened meanwhile, in the same window', true],
] as const)('ranks that arrive late %s', async (_, opensAnother) => {
  const { engine, pause, release } = pausedEngine();
  pause('ranks');
  const { session } = fakeSession(engine);
  const state = session.store.getState;
  await session.loadStories();
  await session.start();
  session.previewPruning({ way: 'magnitude', density: 0.5 });
  await eventually(() => expect(engine.calls).toContain('ranks magnitude'));
  if (opensAnother) await session.openExample('diagonal');
  expect(state().summary?.baseNumber).toBe(opensAnother ? 2 : 1);
  release('ranks');
  await settle();
  expect(state()).toMatchObject({ previewing: !opensAnother, error: null });
});
