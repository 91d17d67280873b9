import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createPreferences } from '../preferences.ts';
import { createLinkConsent } from './link-consent.ts';
import type { SessionContext } from './session-context.ts';
import { EMPTY_SESSION, type SessionState } from './session-state.ts';

/** Hosts that the user has allowed: public servers are stored, addresses of a private network are not. */

/** A visit to the page with the storage of this browser. */
function visit(stored: Map<string, string>) {
  const { origins } = createPreferences(() => ({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => void stored.set(key, text),
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
      const requested = consent.ask(sourceOf(link));
      if (!isAllowed) {
        while (store.getState().question === null) await Promise.resolve();
        consent.answer(answer);
      }
      expect([await requested, store.getState().question]).toEqual([isAllowed || answer, null]);
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
const other = (link: string): string => link.replace('/a.npy', '/b.npy');

it('a link is opened if the user typed it or agreed to it, after any questions, which a later one ends', async () => {
  const link = fc.constantFrom(...[...PUBLIC, ...PRIVATE].flatMap((one) => [one, other(one)]));
  const call = fc.oneof(
    fc.record({ ask: link }),
    fc.record({ answer: fc.boolean() }),
    fc.record({ typed: link }),
    fc.constant({ ask: null }),
  );
  const property = fc.asyncProperty(fc.array(call), async (calls) => {
    const { consent, store } = visit(new Map());
    const allowed = new Set<string>();
    const keyOf = (one: string): string => (PUBLIC.includes(one.replace('/b.', '/a.')) ? new URL(one).origin : one);
    let open: { readonly link: string; readonly opens: Promise<boolean> } | null = null;
    const close = async (agrees: boolean): Promise<void> => {
      if (open) expect(await open.opens).toBe(agrees);
      if (open && agrees) allowed.add(keyOf(open.link));
      open = null;
    };
    for (const one of calls) {
      if ('answer' in one) {
        consent.answer(one.answer);
        await close(one.answer);
      } else if ('typed' in one) {
        await consent.typed(one.typed);
        allowed.add(keyOf(one.typed));
      } else {
        const source = one.ask === null ? ({ kind: 'example', id: 'a' } as const) : sourceOf(one.ask);
        const isAllowed = one.ask === null || allowed.has(keyOf(one.ask));
        expect(await consent.isAllowed(source)).toBe(isAllowed);
        // The question about another link, asked at the same time, is answered by this one.
        const other =
          one.ask === null || isAllowed || allowed.has(keyOf(PRIVATE[0])) ? null : consent.ask(sourceOf(PRIVATE[0]));
        const opens = consent.ask(source);
        await close(false);
        if (other) expect(await other).toBe(false);
        if (isAllowed || one.ask === null) expect(await opens).toBe(true);
        else {
          while (store.getState().question === null) await Promise.resolve();
          open = { link: one.ask, opens };
        }
      }
      expect(store.getState().question?.address ?? null).toBe(open === null ? null : new URL(open.link).href);
    }
  });
  await fc.assert(property);
});

it.each(['answered', 'typed'])(
  'a public server that the user %s is remembered, with its scheme and port',
  async (how) => {
    for (const link of PUBLIC) {
      const stored = new Map<string, string>();
      const first = visit(stored);
      if (how === 'typed') await first.consent.typed(link);
      else await first.opens(link, true);
      expect([...stored]).toEqual([['sparsescope.origins', JSON.stringify([new URL(link).origin])]]);
      const again = visit(stored);
      expect([await again.opens(link), await again.opens(other(link))]).toEqual([true, true]);
      expect(await again.opens(link.replace('example', 'example.org').replace('8.8.8.8', '8.8.4.4'))).toBe(false);
    }
  },
);

it.each(['answered', 'typed'])(
  'one of a private network that the user %s is not: its address is allowed for the visit',
  async (how) => {
    for (const link of PRIVATE) {
      const stored = new Map<string, string>();
      const first = visit(stored);
      if (how === 'typed') await first.consent.typed(link);
      else await first.opens(link, true);
      expect([link, ...stored]).toEqual([link]);
      expect([await first.opens(link), await first.opens(other(link))]).toEqual([true, false]);
      expect(await visit(stored).opens(link)).toBe(false);
    }
  },
);

it('an origin of a private network that something else stored allows nothing', async () => {
  for (const link of PRIVATE) {
    const stored = new Map([['sparsescope.origins', JSON.stringify([new URL(link).origin])]]);
    expect(await visit(stored).opens(link)).toBe(false);
  }
});
