import { expect, it, vi } from 'vitest';
import { fakeSession, settle } from '../../../test/fake-engine.ts';
import { watchRejections } from '../../../test/started-session.ts';
import { createLinkConsent } from './link-consent.ts';
import type { SessionContext } from './session-context.ts';

vi.mock('../../io/web/link-target.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module: https://example.org/assets/link-target.js');
});

watchRejections();

const SOURCE = { kind: 'remote', link: 'https://far.example/wide' } as const;

it('opens no link of an address if the module that asks for consent is missing, and reports it', async () => {
  const { session, document, engine } = fakeSession();
  await session.start();
  await settle();
  const { summary } = session.store.getState();
  const before = engine.calls.length;
  await session.restore({ ...document.getState(), source: SOURCE, window: null });
  expect(engine.calls.slice(before)).toEqual([]);
  const state = session.store.getState();
  expect(state.error).not.toBeNull();
  expect([state.summary, state.question, state.arriving]).toEqual([summary, null, null]);
  const consent = createLinkConsent(session as unknown as SessionContext);
  expect(await consent.isAllowed(SOURCE)).toBe(false);
});

it('opens a link that the user typed, even without that module', async () => {
  const { session, document } = fakeSession();
  await session.start();
  await session.openRemote('wide', null);
  expect(session.store.getState().error).toBeNull();
  expect(document.getState().source).toEqual({ kind: 'remote', link: 'wide@pinned' });
});
