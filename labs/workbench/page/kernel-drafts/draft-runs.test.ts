// Runs of a draft (a user's changed kernel) in the worker: results, replacement, and the end of the engine.

import { expect, it } from 'vitest';
import type { DraftEvent, DraftRequest, OnDraftEvent } from '../service/drafts/draft-types.ts';
import { defineService } from '../../../../src/engine/bridge/service.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { draftService } from '../service/drafts/service.ts';
import { createKernelRuns } from './draft-runs.ts';
import { FakeEngine, fakeSession, settle } from '../../../../test/fake-engine.ts';

const request = { kernel: 'csr/spmv_scalar', params: {}, files: {}, overrides: {}, sizes: {}, time: true };

/** A service in which every draft is correct, after a long job. */
const fakeDrafts = (engine: FakeEngine) => [
  defineService('drafts', () => ({
    async draft(job: ServiceJob, { kernel }: DraftRequest, take: OnDraftEvent): Promise<void> {
      engine.calls.push(`draft ${kernel}`);
      await engine.work(job, `draft ${kernel}`);
      await take({ stage: 'compiled', ok: true, messages: [] });
      await take({ stage: 'ended', ok: true, sentence: 'It is right.' });
    },
  })),
];

async function startedSession(fakeEngine = new FakeEngine(undefined, fakeDrafts)) {
  const { session, engine } = fakeSession(fakeEngine);
  await session.start();
  await settle();
  return {
    session,
    engine,
    tryDraft: createKernelRuns(session, 'Trying a draft', engine.service<typeof draftService>('drafts').draft),
  };
}

it('a run reports the result of a draft, and pauses encodings meanwhile', async () => {
  const { session, engine, tryDraft } = await startedSession();
  const events: DraftEvent[] = [];
  const requestCount = engine.calls.length;
  const { done } = tryDraft(request, (event) => {
    if (event.stage === 'compiled') session.setParam('macko', 'repeat', 2);
    events.push(event);
    expect(session.store.getState().quietWork?.title).toBe('Trying a draft');
    expect(engine.calls.slice(requestCount)).toEqual(['draft csr/spmv_scalar']);
  });
  await done;
  expect(events.map(({ stage }) => stage)).toEqual(['compiled', 'ended']);
  await settle();
  expect([session.store.getState().quietWork, session.store.getState().encodings.macko.kind]).toEqual([null, 'ready']);
});

it('a new run stops the previous run, which still reports its end', async () => {
  const { tryDraft } = await startedSession();
  const first: DraftEvent[] = [];
  const second: DraftEvent[] = [];
  const firstRun = tryDraft(request, (event) => void first.push(event));
  await Promise.resolve();
  const secondRun = tryDraft(request, (event) => void second.push(event));
  await firstRun.done;
  expect(first).toEqual([{ stage: 'ended', ok: false, sentence: 'The run was stopped.' }]);
  await secondRun.done;
  expect(second.map(({ stage }) => stage)).toEqual(['compiled', 'ended']);
});

it('a run ends with a message when the engine ends', async () => {
  let isDoomed = true;
  const engine: FakeEngine = new FakeEngine(async (label) => {
    if (!isDoomed || !label.startsWith('draft')) return;
    isDoomed = false;
    engine.die();
  }, fakeDrafts);
  const { tryDraft } = await startedSession(engine);
  const events: DraftEvent[] = [];
  await tryDraft(request, (event) => void events.push(event)).done;
  expect(events).toEqual([{ stage: 'ended', ok: false, sentence: 'The engine died.' }]);
});
