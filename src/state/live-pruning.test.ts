import { expect, it } from 'vitest';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import type { Pruning } from '../worker/protocol.ts';
import { testEngine } from '../worker/testing.ts';
import { type Catalog, createDocumentStore, defaultDocument } from './document.ts';
import { createPlayer } from './player.ts';
import { createSession } from './session.ts';
import { fakeSession, settle } from './testing.ts';

const catalog: Catalog = {
  formats,
  patterns,
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'magnitude', rows: 120, cols: 96, density: 0.5, seed: 1 } },
    format: 'csr',
  },
};

async function startedSession() {
  const engine = testEngine();
  let asked = 0;
  const ranks = engine.pruningRanks.bind(engine);
  engine.pruningRanks = (...args) => {
    asked++;
    return ranks(...args);
  };
  const document = createDocumentStore(defaultDocument(catalog));
  const player = createPlayer();
  const session = createSession({ engine, catalog, formats, document, player, resolveUrl: (url) => url });
  await session.start();
  return { session, player, document, asked: () => asked };
}

it.each(['magnitude', 'rows'] as const)('%s: the window follows the slider, and release is exact', async (way) => {
  const { session, player, asked } = await startedSession();
  const state = session.store.getState;
  const whole = state();
  session.previewPruning({ way, density: 0.4 });
  await expect.poll(() => state().previewing).toBe(true);
  for (const density of [0.3, 0.1, 0.2]) {
    const before = state().trace;
    const pruning: Pruning = { way, density };
    session.previewPruning(pruning);
    // at once: nothing was asked for
    const { trace, window, summary, encodings } = state();
    expect(trace).not.toBe(before);
    expect(window?.nnz).toBeLessThan(whole.window?.nnz ?? 0);
    expect(summary).toBe(whole.summary);
    expect(Object.keys(encodings)).toEqual(Object.keys(whole.encodings));
    expect(player.store.getState().stepCount).toBe(trace.kind === 'ready' ? trace.trace.steps.length : 0);
  }
  expect(asked()).toBe(1);
  const shown = state().window;
  await session.prune({ way, density: 0.2 });
  expect(state()).toMatchObject({ previewing: false, error: null });
  expect(state().summary?.generation).toBe(2);
  expect(state().window).toEqual(shown);
});

it('shows what is there when the slider is back, and when the pruning comes to nothing', async () => {
  const { session, document, player } = await startedSession();
  const state = session.store.getState;
  const { window, trace } = state();
  player.last();
  const { step } = document.getState();
  session.previewPruning({ way: 'magnitude', density: 0.1 });
  await expect.poll(() => state().previewing).toBe(true);
  expect(document.getState().step).toBe(step);
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

it('another format and another window are those of the matrix', async () => {
  const { session } = await startedSession();
  const state = session.store.getState;
  const { window } = state();
  session.previewPruning({ way: 'magnitude', density: 0.1 });
  await expect.poll(() => state().previewing).toBe(true);
  session.setFormat('macko');
  expect(state()).toMatchObject({ previewing: false, window });
  expect(state().trace.kind === 'ready' && state().trace).toMatchObject({ trace: { format: 'macko', window } });
});

it('prunings at random and to N:M wait for the worker', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const calls = engine.calls.length;
  session.previewPruning({ way: 'random', density: 0.1, seed: 1 });
  session.previewPruning({ way: 'n-of-m', kept: 2, group: 4 });
  await settle();
  expect(engine.calls.slice(calls).filter((call) => call.startsWith('ranks'))).toEqual([]);
  expect(session.store.getState().previewing).toBe(false);
});
