import { describe, expect, it } from 'vitest';
import { withStep } from './document.ts';
import { visibleStory } from './session/session-state.ts';
import { createStories } from './stories.ts';
import { fakeFormat, fakeSession, FakeEngine, settle } from '../../test/fake-engine.ts';

/** Loads of stories that stay pending until the test calls `open` (they succeed) or `fail`. */
class Gate {
  readonly requests: string[] = [];
  readonly #waiting = new Map<string, { open: () => void; fail: (error: Error) => void }>();

  readonly load = (id: string): Promise<void> => {
    this.requests.push(id);
    return new Promise((open, fail) => this.#waiting.set(id, { open, fail }));
  };

  async open(id: string): Promise<void> {
    this.#waiting.get(id)?.open();
    await settle();
  }

  async fail(id: string): Promise<void> {
    this.#waiting.get(id)?.fail(new TypeError('Failed to fetch story.js'));
    await settle();
  }
}

/** A session without format B, whose stories a gate holds back. Sessions with B are tested in two-stories.test.ts. */
function gatedSession(): ReturnType<typeof fakeSession> & { gate: Gate } {
  const gate = new Gate();
  const fake = fakeSession(new FakeEngine(), gate.load);
  fake.session.setAgainst(null);
  return { ...fake, gate };
}

/** A session with MACKO's story of a diagonal on the stage, and no other story loaded. */
async function started(): Promise<ReturnType<typeof gatedSession>> {
  const gated = gatedSession();
  void gated.session.start();
  await gated.gate.open('macko');
  return gated;
}

describe('the story on the stage', () => {
  it('contains the encoding of the whole matrix only while that has the current parameters', async () => {
    const { session, document, gate } = await started();
    const whole = () => visibleStory(session.store.getState().trace)?.wholeMatrix;
    const { summary, encodings } = session.store.getState();
    const params = document.getState().params.macko;
    expect(encodings.macko).toMatchObject({ kind: 'ready', params });
    expect(whole()).toMatchObject({ rows: summary?.rows, cols: summary?.cols, nnz: summary?.nnz, params });
    session.setParam('macko', 'repeat', 2);
    expect(whole()).toBeUndefined();
    await settle();
    await gate.open('macko');
    expect(whole()).toMatchObject({ params: { repeat: 2 } });
  });
});

describe('stories', () => {
  it('stories are loaded once for all callers', async () => {
    const gate = new Gate();
    const format = fakeFormat('csr', () => gate.load('csr'));
    const stories = createStories([format]);
    expect(stories.get(format)).toBeNull();
    const both = Promise.all([stories.load(format), stories.load(format)]);
    await gate.open('csr');
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(stories.get(format)).toBe(first);
    expect(gate.requests).toEqual(['csr']);
  });

  it('stories are requested again after a failure', async () => {
    const gate = new Gate();
    const format = fakeFormat('csr', () => gate.load('csr'));
    const stories = createStories([format]);
    const first = stories.load(format);
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), gate.fail('csr')]);
    const second = stories.load(format);
    await gate.open('csr');
    expect(stories.get(format)).toBe(await second);
  });

  it('stories are loaded one after the other by loadAll, even if some fail', async () => {
    const gate = new Gate();
    const formats = ['dense', 'csr', 'macko'].map((id) => fakeFormat(id, () => gate.load(id)));
    const stories = createStories(formats);
    const all = stories.loadAll();
    expect(gate.requests).toEqual(['dense']);
    await gate.open('dense');
    await gate.fail('csr');
    await gate.open('macko');
    await all;
    expect(gate.requests).toEqual(['dense', 'csr', 'macko']);
    expect(formats.map((format) => stories.get(format) !== null)).toEqual([true, false, true]);
  });
});

describe('the first story', () => {
  it('the first story is requested at the start, and the matrix does not wait for it', async () => {
    const { session, document, player, gate } = gatedSession();
    document.setState(withStep(document.getState(), 3));
    void session.start();
    expect(gate.requests).toEqual(['macko']);
    await settle();
    const waiting = session.store.getState();
    expect(waiting).toMatchObject({ summary: { name: 'diagonal' }, window: { nnz: 8 }, opening: null });
    expect(waiting.trace).toEqual({ kind: 'loading', before: null });
    expect(Object.values(waiting.encodings).map((e) => e.kind)).toEqual(['ready', 'ready']);
    expect([document.getState().step, player.store.getState().stepCount]).toEqual([3, 0]);
    await gate.open('macko');
    expect(session.store.getState()).toMatchObject({ problems: [], trace: { kind: 'ready' } });
    expect([document.getState().step, player.store.getState().step]).toEqual([3, 3]);
  });

  it('the first story can be requested again after it failed to load, and opens at the step of the link', async () => {
    const { session, document, player, gate } = gatedSession();
    document.setState(withStep(document.getState(), 3));
    void session.start();
    await gate.fail('macko');
    expect(gate.requests).toEqual(['macko', 'macko']);
    await gate.fail('macko');
    expect(session.store.getState().trace).toEqual({
      kind: 'missing',
      reason:
        'The animation of MACKO could not be loaded: The network did not answer; try again once there is a network (Failed to fetch story.js).',
    });
    expect(document.getState().step).toBe(3);
    session.retryStory();
    expect(session.store.getState().trace.kind).toBe('loading');
    await gate.fail('macko');
    expect(session.store.getState().trace.kind).toBe('missing');
    session.retryStory();
    await gate.open('macko');
    expect(session.store.getState()).toMatchObject({ problems: [], error: null, trace: { kind: 'ready' } });
    expect(player.store.getState()).toMatchObject({ step: 3, stepCount: 8 });
  });
});

describe('the story of another format', () => {
  it('replaces the one before, which stays visible until then', async () => {
    const { session, document, player, gate } = await started();
    player.play();
    player.seek(5);
    const before = session.store.getState().trace;
    session.setFormat('csr');
    expect(player.store.getState()).toMatchObject({ playing: false, step: 5, stepCount: 8 });
    expect(visibleStory(session.store.getState().trace)?.trace).toBe(visibleStory(before)?.trace);
    player.next();
    expect(document.getState()).toMatchObject({ format: 'csr', step: 0 });
    await gate.open('csr');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'csr' } });
    expect(player.store.getState()).toMatchObject({ step: 0, stepCount: 8 });
  });

  it('the story of another format is not shown when another one has been chosen meanwhile', async () => {
    const { session, gate } = await started();
    session.setFormat('csr');
    session.setFormat('macko');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'macko' } });
    await gate.fail('csr');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'macko' } });
  });

  it('uses the window that was chosen while the story was loading', async () => {
    const { session, player, gate } = await started();
    session.setFormat('csr');
    session.setParam('csr', 'repeat', 2);
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    await gate.open('csr');
    const { trace, window } = session.store.getState();
    expect(trace).toMatchObject({ kind: 'ready', trace: { format: 'csr', params: { repeat: 2 } } });
    expect([window?.rows, player.store.getState().stepCount]).toEqual([3, 6]);
  });

  it('uses the previous window if the chosen one cannot be read', async () => {
    const { session, engine, gate } = await started();
    session.setFormat('csr');
    const cells = new Gate();
    engine.matrix.window = async () => {
      await cells.load('window');
      throw new Error('not reached');
    };
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    await gate.open('csr');
    expect(session.store.getState().trace.kind).toBe('loading');
    await cells.fail('window');
    const { trace, window } = session.store.getState();
    expect(trace).toMatchObject({ kind: 'ready', trace: { format: 'csr' } });
    expect(window?.rows).toBe(8);
  });

  it('the story of another format is requested again after a failure, by any change that would show it', async () => {
    const { session, gate } = await started();
    session.setFormat('csr');
    await gate.fail('csr');
    expect(session.store.getState().trace.kind).toBe('missing');
    session.setParam('csr', 'repeat', 3);
    expect(session.store.getState().trace).toEqual({ kind: 'loading', before: null });
    await gate.open('csr');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'csr' } });
  });

  it('loads while the previous story stays visible, also if the matrix changes with the format', async () => {
    const { session, document, gate } = await started();
    const before = visibleStory(session.store.getState().trace);
    void session.restore({
      ...document.getState(),
      source: { kind: 'example', id: 'wide' },
      format: 'csr',
      window: null,
    });
    await settle();
    expect(session.store.getState()).toMatchObject({ summary: { name: 'wide' }, trace: { kind: 'loading', before } });
    await gate.open('csr');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'csr' } });
  });

  it('the story of another format is ready at once if all stories have been loaded', async () => {
    const { session, gate } = await started();
    const stories = session.loadStories();
    await gate.open('csr');
    await stories;
    session.setFormat('csr');
    expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: 'csr' } });
  });
});
