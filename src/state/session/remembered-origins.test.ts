import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createPreferences } from '../preferences.ts';
import { createLinkConsent } from './link-consent.ts';
import type { SessionContext } from './session-context.ts';
import { EMPTY_SESSION, type SessionState } from './session-state.ts';

// Tests which hosts that the user allowed are stored: public servers are, addresses of a private network are not.

/** A visit to the page with the storage of this browser. */
function visit(storedItems: Map<string, string>) {
  const { origins } = createPreferences(() => ({
    getItem: (key) => storedItems.get(key) ?? null,
    setItem: (key, text) => void storedItems.set(key, text),
  }));
  const store = createStore<SessionState>(() => EMPTY_SESSION);
  const fail = (error: unknown): never => {
    throw error;
  };
  const consent = createLinkConsent({ store, origins, fail } as unknown as SessionContext);
  return {
    consent,
    store,
    /** Whether a link is opened without a question; otherwise `answer` is given to its question. */
    async opens(link: string, answer = false): Promise<boolean> {
      const isAllowed = await consent.isAllowed(sourceOf(link));
      const decision = consent.ask(sourceOf(link));
      if (!isAllowed) {
        while (store.getState().question === null) await Promise.resolve();
        consent.answer(answer);
      }
      expect([await decision, store.getState().question]).toEqual([isAllowed || answer, null]);
      return isAllowed;
    },
  };
}

const sourceOf = (link: string) => ({ kind: 'remote', link }) as const;
const PUBLIC = ['https://far.example/a.npy', 'http://far.example:8080/a.npy', 'http://8.8.8.8/a.npy'];
const PRIVATE = [
  'http://localhost:8000/a.npy',
  'http://127.0.0.1/a.npy',
  'http://10.0.0.7/a.npy',
  'http://172.31.255.255/a.npy',
  'http://192.168.0.1/a.npy',
  'https://printer.local/a.npy',
  'https://intranet/a.npy',
  'http://[::1]/a.npy',
  'http://[fd00::1]/a.npy',
];
const otherFileOf = (link: string): string => link.replace('/a.npy', '/b.npy');

it('a link is opened if the user typed it or agreed to it, after any questions, each of which ends the one before', async () => {
  const link = fc.constantFrom(...[...PUBLIC, ...PRIVATE].flatMap((file) => [file, otherFileOf(file)]));
  const call = fc.oneof(
    fc.record({ ask: link }),
    fc.record({ answer: fc.boolean() }),
    fc.record({ typed: link }),
    fc.constant({ ask: null }),
  );
  const property = fc.asyncProperty(fc.array(call), async (calls) => {
    const { consent, store } = visit(new Map());
    const allowedKeys = new Set<string>();
    const keyOf = (link: string): string => (PUBLIC.includes(link.replace('/b.', '/a.')) ? new URL(link).origin : link);
    let openQuestion: { readonly link: string; readonly opens: Promise<boolean> } | null = null;
    const closeQuestion = async (agrees: boolean): Promise<void> => {
      if (openQuestion) expect(await openQuestion.opens).toBe(agrees);
      if (openQuestion && agrees) allowedKeys.add(keyOf(openQuestion.link));
      openQuestion = null;
    };
    for (const nextCall of calls) {
      if ('answer' in nextCall) {
        consent.answer(nextCall.answer);
        await closeQuestion(nextCall.answer);
      } else if ('typed' in nextCall) {
        await consent.typed(nextCall.typed);
        allowedKeys.add(keyOf(nextCall.typed));
      } else {
        const source = nextCall.ask === null ? ({ kind: 'example', id: 'a' } as const) : sourceOf(nextCall.ask);
        const isAllowed = nextCall.ask === null || allowedKeys.has(keyOf(nextCall.ask));
        expect(await consent.isAllowed(source)).toBe(isAllowed);
        // A question about another link, asked at the same time, is ended by the question about this link.
        const otherAnswer =
          nextCall.ask === null || isAllowed || allowedKeys.has(keyOf(PRIVATE[0]))
            ? null
            : consent.ask(sourceOf(PRIVATE[0]));
        const opens = consent.ask(source);
        await closeQuestion(false);
        if (otherAnswer) expect(await otherAnswer).toBe(false);
        if (isAllowed || nextCall.ask === null) expect(await opens).toBe(true);
        else {
          while (store.getState().question === null) await Promise.resolve();
          openQuestion = { link: nextCall.ask, opens };
        }
      }
      expect(store.getState().question?.address ?? null).toBe(
        openQuestion === null ? null : new URL(openQuestion.link).href,
      );
    }
  });
  await fc.assert(property);
});

it('a link to a known server ends the question about an earlier link, even before that question is visible', async () => {
  const { consent, store } = visit(new Map());
  await consent.typed(PUBLIC[0]);
  const earlier = consent.ask(sourceOf(PRIVATE[0]));
  expect(await consent.ask(sourceOf(PUBLIC[0]))).toBe(true);
  expect(store.getState().question).toBeNull();
  expect(await earlier).toBe(false);
});

it.each(['agreed to', 'typed'])(
  'a public server whose link the user %s is remembered, with its scheme and port',
  async (how) => {
    for (const link of PUBLIC) {
      const storedItems = new Map<string, string>();
      const firstVisit = visit(storedItems);
      if (how === 'typed') await firstVisit.consent.typed(link);
      else await firstVisit.opens(link, true);
      expect([...storedItems]).toEqual([['sparsescope.origins', JSON.stringify([new URL(link).origin])]]);
      const nextVisit = visit(storedItems);
      expect([await nextVisit.opens(link), await nextVisit.opens(otherFileOf(link))]).toEqual([true, true]);
      expect(await nextVisit.opens(link.replace('example', 'example.org').replace('8.8.8.8', '8.8.4.4'))).toBe(false);
    }
  },
);

it.each(['agreed to', 'typed'])(
  'a server of a private network whose link the user %s is not remembered: the address is allowed for the visit',
  async (how) => {
    for (const link of PRIVATE) {
      const storedItems = new Map<string, string>();
      const firstVisit = visit(storedItems);
      if (how === 'typed') await firstVisit.consent.typed(link);
      else await firstVisit.opens(link, true);
      expect([link, ...storedItems]).toEqual([link]);
      expect([await firstVisit.opens(link), await firstVisit.opens(otherFileOf(link))]).toEqual([true, false]);
      expect(await visit(storedItems).opens(link)).toBe(false);
    }
  },
);

it('an origin of a private network that something else stored allows nothing', async () => {
  for (const link of PRIVATE) {
    const storedItems = new Map([['sparsescope.origins', JSON.stringify([new URL(link).origin])]]);
    expect(await visit(storedItems).opens(link)).toBe(false);
  }
});
