import { expect, it } from 'vitest';
import type { DraftEvent, DraftRequest } from '../../engine/protocol.ts';
import { FakeEngine, fakeSession, settle } from '../../../test/fake-engine.ts';

const request: DraftRequest = {
  kernel: 'csr/spmv_scalar',
  params: {},
  files: {},
  overrides: {},
  sizes: {},
  time: true,
};

it('tells what comes of a draft, and encodes nothing meanwhile', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  await settle();
  const events: DraftEvent[] = [];
  const asked = engine.calls.length;
  const { done } = session.draft(request, (event) => {
    if (event.stage === 'compiled') session.setParam('macko', 'repeat', 2);
    events.push(event);
    expect(session.store.getState().trying?.title).toBe('Trying a draft');
    expect(engine.calls.slice(asked)).toEqual(['draft csr/spmv_scalar']);
  });
  await done;
  expect(events.map(({ stage }) => stage)).toEqual(['compiled', 'ended']);
  await settle();
  expect(session.store.getState().trying).toBeNull();
  expect(session.store.getState().encodings.macko.kind).toBe('ready');
});

it('stops the one before, which ends all the same', async () => {
  const { session } = fakeSession();
  await session.start();
  await settle();
  const first: DraftEvent[] = [];
  const second: DraftEvent[] = [];
  const one = session.draft(request, (event) => void first.push(event));
  await Promise.resolve();
  const two = session.draft(request, (event) => void second.push(event));
  await one.done;
  expect(first).toEqual([{ stage: 'ended', ok: false, sentence: 'The run was stopped.' }]);
  await two.done;
  expect(second.map(({ stage }) => stage)).toEqual(['compiled', 'ended']);
});

it('ends with a sentence when the engine dies over it', async () => {
  let isDoomed = true;
  const engine: FakeEngine = new FakeEngine(async (label) => {
    if (!isDoomed || !label.startsWith('draft')) return;
    isDoomed = false;
    engine.die();
  });
  const { session } = fakeSession(engine);
  await session.start();
  await settle();
  const events: DraftEvent[] = [];
  await session.draft(request, (event) => void events.push(event)).done;
  expect(events).toEqual([{ stage: 'ended', ok: false, sentence: 'The engine died.' }]);
});
