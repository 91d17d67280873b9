import { describe, expect, it } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { started, watchRejections } from '../../../test/started-session.ts';
import {
  type AppDocument,
  defaultChoice,
  type FormatChoice,
  withFormatB,
  withBothShown,
  withParam,
  withStep,
} from '../document.ts';
import { encodingOf } from './encoding-queue.ts';
import { visibleStory, stepsAt } from './session-state.ts';

watchRejections();

const CSR = stored('csr', 2);

/** A format with its step of every entry repeated. */
function stored(format: string, repeat: number): FormatChoice {
  const found = defaultChoice(CATALOG, format);
  if (!found) throw new Error(`the catalog has no ${format}`);
  return { format, params: { ...found.params, repeat } };
}

/** A document with CSR next to its A. */
const withCsr = (doc: AppDocument): AppDocument => withBothShown(withFormatB(doc, CSR), true);

/** A session that compares MACKO with CSR, each of whose entries has two steps. */
async function comparing() {
  const page = await started();
  page.document.setState(withCsr(page.document.getState()));
  return page;
}

describe('two stories of one window', () => {
  it('play side by side, on one timeline, which the player plays', async () => {
    const { session, player } = await comparing();
    const { trace, storyB, timeline } = session.store.getState();
    expect(trace).toMatchObject({ kind: 'ready', trace: { format: 'macko', steps: { length: 8 } } });
    expect(storyB).toMatchObject({ kind: 'ready', trace: { format: 'csr', steps: { length: 16 } } });
    expect(timeline?.b).toHaveLength((timeline?.a.length ?? 0) || 1);
    const { stepCount, frames } = player.store.getState();
    expect(frames).toBe(timeline?.frames);
    expect(stepsAt(timeline, stepCount)).toEqual({ a: 8, b: 16 });
    expect([stepsAt(timeline, stepCount + 5), player.isOfDocument()]).toEqual([{ a: 8, b: 16 }, true]);
  });

  it('two stories of one window are one while B is not visible next to A, and its code is not loaded', async () => {
    const loaded: string[] = [];
    const { session, document } = fakeSession(undefined, async (id) => void loaded.push(id));
    document.setState(withFormatB(document.getState(), CSR));
    await session.start();
    await settle();
    expect(session.store.getState()).toMatchObject({ storyB: { kind: 'none' }, timeline: { b: null } });
    expect(loaded).not.toContain('csr');
    document.setState(withBothShown(document.getState(), true));
    await settle();
    expect(session.store.getState()).toMatchObject({ storyB: { kind: 'ready' } });
    expect(loaded).toContain('csr');
  });

  it('end when B is removed: the steps are again the steps of A', async () => {
    const { session, document, player } = await comparing();
    document.setState(withFormatB(document.getState(), null));
    expect(session.store.getState()).toMatchObject({ storyB: { kind: 'none' }, timeline: { b: null } });
    expect(player.store.getState().stepCount).toBe(8);
  });

  it('two stories of one window are rebuilt when B changes, and start at step 0', async () => {
    const { session, document, player } = await comparing();
    document.setState(withStep(document.getState(), 4));
    document.setState(withFormatB(document.getState(), stored('csr', 1)));
    expect(session.store.getState().storyB).toMatchObject({ trace: { params: { repeat: 1 } } });
    expect(player.store.getState().step).toBe(0);
  });

  it('share a new window, which is read once for both', async () => {
    const { session, engine } = await comparing();
    const before = engine.calls.length;
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    await settle();
    expect(engine.calls.slice(before).filter((call) => call.startsWith('window'))).toHaveLength(1);
    const { trace, storyB } = session.store.getState();
    expect([visibleStory(trace)?.trace.steps.length, visibleStory(storyB)?.trace.steps.length]).toEqual([3, 6]);
  });

  it('show the start and a message for a step past the end of the timeline', async () => {
    const { session, document } = await comparing();
    const last = session.store.getState().timeline?.a.length ?? 0;
    document.setState(withStep(document.getState(), last + 3));
    expect(document.getState().step).toBe(0);
    expect(session.store.getState().problems).toEqual([
      `step: found ${last + 3}, expected at most ${last - 1}; the start is shown.`,
    ]);
  });
});

describe('a story without the other', () => {
  it('continues where one or both are rejected', async () => {
    const { session } = await comparing();
    await session.openExample('nan');
    expect(session.store.getState()).toMatchObject({
      trace: { kind: 'failed' },
      storyB: { kind: 'failed' },
      timeline: null,
    });
  });

  it('plays alone where the code of B does not arrive, and both do once it does', async () => {
    let fails = true;
    const { session, document, player } = fakeSession(undefined, async (id) => {
      if (id === 'csr' && fails) throw new Error('Failed to fetch story.js');
    });
    await session.start();
    await settle();
    await session.restore(withStep(withCsr(document.getState()), 12));
    await settle();
    expect(session.store.getState()).toMatchObject({
      trace: { kind: 'ready' },
      storyB: {
        kind: 'missing',
        reason:
          'The animation of CSR could not be loaded: The network did not answer; try again once there is a network (Failed to fetch story.js).',
      },
      timeline: { b: null },
      problems: [],
    });
    expect([player.store.getState().stepCount, player.isOfDocument(), document.getState().step]).toEqual([
      8,
      false,
      12,
    ]);
    fails = false;
    session.retryStory();
    await settle();
    expect(session.store.getState()).toMatchObject({ trace: { kind: 'ready' }, storyB: { kind: 'ready' } });
    expect([player.store.getState().step, player.isOfDocument()]).toEqual([12, true]);
  });

  it('plays alone where the code of A does not arrive: its steps stay at 0', async () => {
    const { session, document, player } = fakeSession(undefined, async (id) => {
      if (id === 'macko') throw new Error('Failed to fetch story.js');
    });
    document.setState(withCsr(document.getState()));
    await session.start();
    await settle();
    const { trace, storyB, timeline } = session.store.getState();
    expect([[trace.kind, storyB.kind], player.store.getState().stepCount]).toEqual([['missing', 'ready'], 16]);
    expect(stepsAt(timeline, 16)).toEqual({ a: 0, b: 16 });
  });

  it('waits for the other, and the earlier story stays until then', async () => {
    let arrive = (): void => {};
    const { session, document } = fakeSession(undefined, async (id) => {
      if (id === 'csr') await new Promise<void>((resolve) => (arrive = resolve));
    });
    await session.start();
    await settle();
    const { trace: shown, timeline } = session.store.getState();
    document.setState(withCsr(document.getState()));
    await settle();
    const waiting = session.store.getState();
    expect([waiting.trace.kind, waiting.storyB.kind]).toEqual(['loading', 'loading']);
    expect(visibleStory(waiting.trace)?.trace).toBe(visibleStory(shown)?.trace);
    expect(waiting.timeline).toBe(timeline);
    arrive();
    await settle();
    expect(session.store.getState()).toMatchObject({ trace: { kind: 'ready' }, storyB: { kind: 'ready' } });
  });
});

describe('the bytes of the whole matrix', () => {
  it('reach both stories once they are encoded, each with its own parameters', async () => {
    const { session, document } = await comparing();
    const wholes = () => {
      const { trace, storyB } = session.store.getState();
      return [visibleStory(trace)?.wholeMatrix?.params, visibleStory(storyB)?.wholeMatrix?.params];
    };
    await settle();
    expect(wholes()).toEqual([{ repeat: 1 }, { repeat: 2 }]);
    document.setState(withParam(document.getState(), 'macko', 'repeat', 3));
    expect(wholes()).toEqual([undefined, { repeat: 2 }]);
    await settle();
    expect(wholes()).toEqual([{ repeat: 3 }, { repeat: 2 }]);
  });
});

describe('the encoding of a format with its parameters', () => {
  it('the encoding of a format with its parameters is found by their values, and not with others', async () => {
    const { session, document } = await started();
    const { encodings } = session.store.getState();
    expect(encodingOf(encodings, stored('csr', 1))?.kind).toBe('ready');
    expect(encodingOf(encodings, stored('csr', 2))).toBeUndefined();
    document.setState(withParam(document.getState(), 'csr', 'repeat', 2));
    await settle();
    expect(encodingOf(session.store.getState().encodings, CSR)?.kind).toBe('ready');
  });

  it('the encoding of a format with its parameters is not the story of B as long as the story of A is missing', async () => {
    const { session, document } = await comparing();
    await settle();
    document.setState(withParam(document.getState(), 'macko', 'repeat', 2));
    const { encodings } = session.store.getState();
    expect(encodingOf(encodings, stored('macko', 2))?.kind).not.toBe('ready');
  });
});
