import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/fake-engine.ts';
import { started, watchRejections } from '../../../test/started-session.ts';
import { MAX_TOKENS } from '../document.ts';
import { encodingOf } from './encoding-queue.ts';

watchRejections();

const macko = (repeat: number) => ({ format: 'macko', params: { repeat } });

describe('A, B and tokens', () => {
  it('takes B with the parameters that are named, the others at their defaults; null is A alone', async () => {
    const { session, document } = await started();
    session.setAgainst({ format: 'csr', params: {} });
    expect(document.getState().against).toEqual({ format: 'csr', params: { repeat: 1 } });
    session.setAgainst(macko(3));
    expect(document.getState().against).toEqual(macko(3));
    expect(document.getState().params.macko).toEqual({ repeat: 1 });
    session.setAgainst(null);
    expect(document.getState().against).toBeNull();
  });

  it('takes A with its parameters', async () => {
    const { session, document } = await started();
    session.setStored({ format: 'csr', params: { repeat: 2 } });
    expect(document.getState()).toMatchObject({ format: 'csr', params: { csr: { repeat: 2 } } });
  });

  it('exchanges A and B with their parameters, and does nothing where A is alone', async () => {
    const { session, document } = await started();
    session.setAgainst(null);
    const alone = document.getState();
    session.swap();
    expect(document.getState()).toBe(alone);
    session.setAgainst(macko(3));
    session.swap();
    expect(document.getState()).toMatchObject({ format: 'macko', params: { macko: { repeat: 3 } }, against: macko(1) });
  });

  it('has A and B change places where the format of B becomes that of A, but not where its parameters differ', async () => {
    const { session, document } = await started();
    session.setStored({ format: 'csr', params: {} });
    session.setAgainst(macko(1));
    session.setFormat('macko');
    expect(document.getState()).toMatchObject({ format: 'macko', against: { format: 'csr', params: { repeat: 1 } } });
    session.setAgainst({ format: 'csr', params: { repeat: 2 } });
    session.setFormat('csr');
    expect(document.getState()).toMatchObject({ format: 'csr', against: { format: 'csr', params: { repeat: 2 } } });
  });

  it.each([
    [{ format: 'own', params: {} }, "Format: found 'own', expected one of csr, macko."],
    [macko(9), 'Macko, repeat: found 9, expected a whole number from 1 to 3.'],
    [{ format: 'csr', params: { gap: 1 } }, "csr: found parameter 'gap', which the format lacks."],
  ])('refuses %j with a sentence', async (stored, sentence) => {
    const { session, document } = await started();
    const before = document.getState();
    session.setAgainst(stored);
    session.setStored(stored);
    expect(session.store.getState().error?.toLowerCase()).toBe(sentence.toLowerCase());
    expect(document.getState()).toBe(before);
  });

  it(`takes 1 to ${MAX_TOKENS} tokens`, async () => {
    const { session, document } = await started();
    session.setTokens(MAX_TOKENS);
    expect(document.getState().tokens).toBe(MAX_TOKENS);
    for (const wrong of [0, MAX_TOKENS + 1, 1.5, Number.NaN]) session.setTokens(wrong);
    expect(document.getState().tokens).toBe(MAX_TOKENS);
    expect(session.store.getState().error).toMatch(/^Tokens: found NaN, expected a whole number from 1 to/i);
  });
});

describe('the encoding of B', () => {
  it('is that of its format where the parameters are the same', async () => {
    const { session, engine } = await started();
    const calls = engine.calls.length;
    session.setAgainst(macko(1));
    await settle();
    expect(engine.calls.slice(calls)).toEqual([]);
    expect(encodingOf(session.store.getState().encodings, macko(1))).toMatchObject({ kind: 'ready' });
  });

  it('is made with its own parameters, next to that of A, and is dropped with it', async () => {
    const { session, engine } = await started();
    const calls = engine.calls.length;
    session.setAgainst(macko(3));
    await settle();
    expect(engine.calls.slice(calls)).toEqual(['encode macko {"repeat":3}']);
    const encoded = (repeat: number) => encodingOf(session.store.getState().encodings, macko(repeat));
    expect(encoded(3)).toMatchObject({ kind: 'ready', summary: { params: { repeat: 3 } } });
    expect(encoded(1)).toMatchObject({ kind: 'ready', summary: { params: { repeat: 1 } } });
    session.setAgainst(null);
    await settle();
    expect(Object.keys(session.store.getState().encodings)).toEqual(['csr', 'macko']);
  });

  it('is made anew for another matrix, before formats that are not shown', async () => {
    const { session, engine } = await started();
    session.setAgainst(macko(3));
    await settle();
    const calls = engine.calls.length;
    await session.openExample('wide');
    await settle();
    expect(engine.calls.slice(calls).filter((call) => call.startsWith('encode'))).toEqual([
      'encode macko {"repeat":1}',
      'encode macko {"repeat":3}',
      'encode csr {"repeat":1}',
    ]);
  });
});
