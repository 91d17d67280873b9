import { describe, expect, it } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { type AppDocument, defaultDocument } from '../document.ts';
// Loaded by the session with the first link: here it is there before.
import '../../io/web/link-target.ts';

const FAR = 'https://far.example/wide';
const NEAR = 'http://192.168.0.1/wide';

const remote = (link: string): AppDocument => ({ ...defaultDocument(CATALOG), source: { kind: 'remote', link } });

/** A session whose address names a matrix on the web; `opened` are the requests that the engine got. */
async function startedAt(link: string, origins: readonly string[] = []) {
  const all = fakeSession();
  for (const origin of origins) all.origins.agree(origin);
  all.document.setState(remote(link));
  await all.session.loadStories();
  const start = all.session.start();
  await settle();
  const opened = (): readonly string[] => all.engine.calls.filter((call) => call.startsWith('open'));
  return { ...all, start, opened };
}

describe('a link to a matrix elsewhere', () => {
  it('asks for nothing before a person has agreed to its host, and opens then', async () => {
    const { session, start, opened, origins } = await startedAt(FAR);
    expect(session.store.getState().question).toMatchObject({ host: 'far.example', address: FAR, isPrivate: false });
    expect(opened()).toEqual([]);
    session.answerQuestion(true);
    await start;
    expect(opened()).toEqual([`open ${FAR}`]);
    expect(session.store.getState().question).toBeNull();
    expect(origins.has('https://far.example')).toBe(true);
  });

  it('gives way to the first example where the answer is no, and remembers nothing', async () => {
    const { session, start, opened, origins } = await startedAt(FAR);
    session.answerQuestion(false);
    await start;
    expect(opened()).toEqual(['open diagonal']);
    expect(session.store.getState()).toMatchObject({ question: null, error: null, summary: { name: 'diagonal' } });
    expect(origins.has('https://far.example')).toBe(false);
  });

  it('opens at once where its host was agreed to before, but not on another port or by http', async () => {
    const agreed = ['https://far.example'];
    expect((await startedAt(FAR, agreed)).opened()).toEqual([`open ${FAR}`]);
    for (const link of ['https://far.example:8443/wide', 'http://far.example/wide', 'https://a.far.example/wide'])
      expect((await startedAt(link, agreed)).opened()).toEqual([]);
  });

  it('opens at once from the hub', async () => {
    for (const link of ['org/wide', 'hf://org/name@main/wide', 'https://huggingface.co/org/wide'])
      expect((await startedAt(link)).opened()).toEqual([`open ${link}`]);
  });

  it('always asks before it reaches into a private network, whatever was agreed to', async () => {
    const { session, start, opened, origins } = await startedAt(NEAR, ['http://192.168.0.1']);
    expect(session.store.getState().question).toMatchObject({ host: '192.168.0.1', isPrivate: true });
    session.answerQuestion(true);
    await start;
    expect(opened()).toEqual([`open ${NEAR}`]);
    expect((await startedAt(NEAR, ['http://192.168.0.1'])).opened()).toEqual([]);
    expect(origins.has('http://192.168.0.1')).toBe(true);
    expect((await startedAt('http://localhost:5000/wide')).session.store.getState().question?.isPrivate).toBe(true);
  });

  it('asks too when the address changes while the page is open, and a no leaves what is there', async () => {
    const { session, opened, document } = await startedAt('org/wide');
    session.answerQuestion(true);
    const before = document.getState();
    const restored = session.restore(remote(FAR));
    await settle();
    expect(opened()).toEqual(['open org/wide']);
    session.answerQuestion(false);
    await restored;
    expect(opened()).toEqual(['open org/wide']);
    expect(document.getState()).toBe(before);
  });

  it('asks for the base of a pruned matrix too', async () => {
    const { session } = await startedAt('org/wide');
    const pruning = { way: 'magnitude', density: 0.5 } as const;
    const doc = { ...remote(FAR), source: { kind: 'pruned', base: { kind: 'remote', link: FAR }, pruning } } as const;
    void session.restore(doc);
    await settle();
    expect(session.store.getState().question?.address).toBe(FAR);
  });

  it('that a person types is agreed to, and does not ask when it comes back', async () => {
    const { session, opened, origins } = await startedAt('org/wide');
    for (const link of [FAR, NEAR]) {
      await session.openRemote(link, null);
      await session.openExample('diagonal');
      await session.restore(remote(link));
      expect(session.store.getState().question).toBeNull();
      expect(opened().filter((call) => call === `open ${link}`)).toHaveLength(2);
    }
    expect(origins.has('https://far.example')).toBe(true);
    expect(origins.has('http://192.168.0.1')).toBe(false);
  });

  it('is forgotten when a person opens something else meanwhile', async () => {
    const { session, start, opened } = await startedAt(FAR);
    await session.openExample('wide');
    await start;
    await settle();
    expect(opened()).toEqual(['open wide']);
    expect(session.store.getState()).toMatchObject({ question: null, summary: { name: 'wide' } });
  });

  it('stays a question when the engine dies', async () => {
    const { session, engine, start, opened } = await startedAt(FAR);
    engine.die();
    await settle();
    expect(opened()).toEqual([]);
    expect(session.store.getState().question?.host).toBe('far.example');
    session.answerQuestion(true);
    await start;
    expect(opened()).toEqual([`open ${FAR}`]);
  });
});
