import { describe, expect, test } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { columnsMatrix } from '../../../test/matrices.ts';
import { formatsWithStories } from '../../../test/stories.ts';
import { defaultParams, storyParams } from '../../core/format.ts';
import { joinScenes } from '../../story/joined-scene.ts';
import { narrationText } from '../../story/scene.ts';
import { joinedTimeline } from '../../story/timeline.ts';
import type { LoadedStory } from '../../state/index.ts';
import {
  type EmbeddedWindow,
  type MessageLike,
  pageReporter,
  readRequest,
  stageReporter,
  serveEmbedder,
} from './embedder-messages.ts';

const HOST = 'https://example.org';
/** How the reported frames are drawn: on a wide page, without further data. */
const CONTEXT = { layout: 'wide', wholeMatrix: null, recordedTimes: null } as const;

/** An embedded stage with a story, and the messages between it and its host, the page around it. */
async function embeddedStage(): Promise<{
  readonly received: { message: Record<string, unknown>; to: string }[];
  /** sends a message, and nothing else in the same animation frame */
  readonly say: (data: unknown, from?: Partial<MessageLike>) => Promise<void>;
  /** sends messages within one animation frame */
  readonly sayAtOnce: (messages: readonly unknown[]) => Promise<void>;
  readonly end: () => void;
  readonly player: ReturnType<typeof fakeSession>['player'];
}> {
  const received: { message: Record<string, unknown>; to: string }[] = [];
  const parent = {
    postMessage: (message: unknown, to: string) =>
      void received.push({ message: message as Record<string, unknown>, to }),
  };
  const listeners = new Set<(event: MessageLike) => void>();
  const window: EmbeddedWindow = {
    parent,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  const { session, player } = fakeSession();
  // Time passes on the test's command.
  let now = 0;
  let wake = (): void => {};
  const clock = { now: () => now, pause: () => new Promise<void>((resolve) => (wake = resolve)) };
  const endAnimationFrame = async (): Promise<void> => {
    now += 100;
    wake();
    await settle();
  };
  const reporter = stageReporter({ session, player, formats: CATALOG.formats }, () => CONTEXT);
  const end = serveEmbedder(window, HOST, { reporter, player }, clock);
  await session.start();
  await settle();
  const send = (data: unknown, from: Partial<MessageLike> = {}): void => {
    for (const listener of listeners) listener({ data, origin: HOST, source: parent, ...from });
  };
  return {
    received,
    async say(data, from) {
      send(data, from);
      await endAnimationFrame();
    },
    async sayAtOnce(messages) {
      for (const message of messages) send(message);
      await endAnimationFrame();
    },
    end,
    player,
  };
}

describe('an embedded stage', () => {
  test('reports to its host alone that it is ready, and each step', async () => {
    const { received, player } = await embeddedStage();
    const { stepCount, chapters } = player.store.getState();
    expect(received[0].message).toMatchObject({
      sparsescope: 1,
      type: 'ready',
      step: 0,
      steps: stepCount,
      playing: false,
    });
    expect(received[0].message.chapters).toHaveLength(chapters.length);
    player.nextStepOrChapter();
    expect(received.at(-1)?.message).toMatchObject({ type: 'step', step: 1, chapter: chapters[0].id });
    expect(new Set(received.map(({ to }) => to))).toEqual(new Set([HOST]));
  });

  test('goes to the step that its host requests', async () => {
    const { say, player } = await embeddedStage();
    const { chapters, stepCount } = player.store.getState();
    await say({ sparsescope: 1, type: 'go', step: 3 });
    expect(player.store.getState().step).toBe(3);
    await say({ sparsescope: 1, type: 'go', chapter: chapters[0].id });
    expect(player.store.getState().step).toBe(0);
    await say({ sparsescope: 1, type: 'play' });
    expect(player.store.getState().playing).toBe(true);
    await say({ sparsescope: 1, type: 'go', step: stepCount });
    expect(player.store.getState()).toMatchObject({ playing: false, step: stepCount });
  });

  test('goes to frames, and reports the current frame', async () => {
    const { say, player, received } = await embeddedStage();
    const { frames } = player.store.getState();
    await say({ sparsescope: 1, type: 'go', frame: frames.length });
    expect(player.store.getState().frame).toBe(frames.length);
    expect(received.at(-1)?.message).toMatchObject({
      type: 'step',
      frame: frames.length,
      frames: frames.length,
    });
    await say({ sparsescope: 1, type: 'go', step: 2 });
    expect(player.store.getState()).toMatchObject({ frame: null, step: 2 });
    expect(received.at(-1)?.message).not.toHaveProperty('frame');
    await say({ sparsescope: 1, type: 'go', frame: frames.length + 1 });
    expect(received.at(-1)?.message).toMatchObject({
      type: 'problem',
      message: `frame: found ${frames.length + 1}, expected at most ${frames.length}.`,
    });
  });

  test('ignores other origins, and other windows of the same origin', async () => {
    const { say, player, received } = await embeddedStage();
    const before = received.length;
    await say({ sparsescope: 1, type: 'go', step: 3 }, { origin: 'https://attacker.example' });
    await say({ sparsescope: 1, type: 'go', step: 3 }, { source: {} });
    await say({ hello: 'extension' });
    expect(player.store.getState().step).toBe(0);
    expect(received).toHaveLength(before);
  });

  test('reports what is wrong with a request, and stays at its step', async () => {
    const { say, player, received } = await embeddedStage();
    const { stepCount } = player.store.getState();
    const answerTo = async (data: unknown): Promise<unknown> => {
      await say(data);
      return received.at(-1)?.message;
    };
    expect(await answerTo({ sparsescope: 1, type: 'go', step: stepCount + 1 })).toMatchObject({
      type: 'problem',
      message: `step: found ${stepCount + 1}, expected at most ${stepCount}.`,
    });
    expect(await answerTo({ sparsescope: 1, type: 'go', chapter: 'nowhere' })).toMatchObject({ type: 'problem' });
    expect(player.store.getState().step).toBe(0);
  });

  test('shows the first and the last step of those requested within one animation frame', async () => {
    const { received, player, sayAtOnce } = await embeddedStage();
    const { stepCount } = player.store.getState();
    const before = received.length;
    const steps = Array.from({ length: 20_000 }, (_, i) => ({ sparsescope: 1, type: 'go', step: 1 + (i % stepCount) }));
    await sayAtOnce([...steps, { sparsescope: 1, type: 'go', step: 5 }]);
    expect(player.store.getState().step).toBe(5);
    // The first request is handled at once, as nothing was drawn just before.
    expect(received.slice(before).map(({ message }) => message.step)).toEqual([1, 5]);
  });

  test('obeys play, pause and go in their order, if they arrive within one animation frame', async () => {
    const { player, sayAtOnce } = await embeddedStage();
    const { stepCount } = player.store.getState();
    const go = (step: number) => ({ sparsescope: 1, type: 'go', step });
    const [play, pause] = ['play', 'pause'].map((type) => ({ sparsescope: 1, type }));
    const after = async (...messages: readonly object[]): Promise<unknown> => {
      await sayAtOnce(messages);
      const { step, playing } = player.store.getState();
      return { step, playing };
    };
    expect(await after(go(1), go(2), play)).toEqual({ step: 2, playing: true });
    expect(await after(play, go(3))).toEqual({ step: 3, playing: false });
    expect(await after(go(4), play, pause)).toEqual({ step: 4, playing: false });
    // From the end, a story plays from its beginning, even if it is paused at once.
    expect(await after(go(2), go(stepCount), play, pause)).toEqual({ step: 0, playing: false });
    expect(await after(go(2), go(stepCount + 1))).toEqual({ step: 2, playing: false });
  });

  test('reports a step that does not exist, and continues to play', async () => {
    const { player, received, say } = await embeddedStage();
    await say({ sparsescope: 1, type: 'play' });
    await say({ sparsescope: 1, type: 'go', step: 1e9 });
    expect(received.at(-1)?.message).toMatchObject({ type: 'problem' });
    expect(player.store.getState().playing).toBe(true);
  });

  test('reports nothing after its end', async () => {
    const { received, player, end } = await embeddedStage();
    end();
    const before = received.length;
    player.next();
    expect(received).toHaveLength(before);
  });
});

test('pageReporter reports the story of a page with its texts', () => {
  const story = {
    title: 'T',
    description: 'a',
    opening: 2,
    stepCount: 3,
    chapters: [{ id: 'held', title: 'Held', firstStep: 0, stepCount: 3 }],
    words: (step: number) => [{ text: `step ${step}` }, { text: '!', strong: true }],
  };
  const narration = pageReporter(story, 'csr').narration();
  expect(narration).toMatchObject({ format: 'csr', steps: 3 });
  expect(narration?.words(2, null)).toBe('step 2!');
});

test('of two stories, stageReporter reports the text of B at steps of B alone', async () => {
  const window = columnsMatrix(32, [
    [1, 5, 31],
    [0, 2],
  ]);
  const stories = (await formatsWithStories()).filter(({ format }) => ['csr', 'macko'].includes(format.id));
  const [a, b] = stories.map(({ format, story }): LoadedStory & { readonly kind: 'ready' } => {
    const params = storyParams<object>(format.params, defaultParams(format.params));
    return { kind: 'ready', story, trace: story.trace(window, params) };
  });
  const { session, player } = fakeSession();
  const timeline = joinedTimeline(a, b);
  session.store.setState({ trace: a, storyB: b, timeline, joinScenes });
  const narration = stageReporter(
    { session, player, formats: stories.map(({ format }) => format) },
    () => CONTEXT,
  ).narration();
  expect(narration?.steps).toBe(timeline.a.length - 1);
  const onlyB = timeline.a.findIndex((step, tick) => tick > 0 && step === timeline.a[tick - 1]);
  expect(onlyB).toBeGreaterThan(0);
  const textOfB = narrationText(b.story.scene(b.trace, timeline.b?.[onlyB] ?? 0));
  expect(narration?.words(onlyB, null)).toContain(textOfB);
});

test.each([
  [{ sparsescope: 2, type: 'play' }, 'sparsescope: found 2, expected 1.'],
  [{ sparsescope: 1, type: 'run' }, "type: found 'run', expected one of go, play, pause."],
  [{ sparsescope: 1, type: 'go', step: -1 }, 'step: found -1, expected a whole number from 0.'],
  [{ sparsescope: 1, type: 'go', step: '3' }, "step: found '3', expected a whole number from 0."],
  [{ sparsescope: 1, type: 'go', frame: 0 }, 'frame: found 0, expected a whole number from 1.'],
  [{ sparsescope: 1, type: 'go' }, 'go: found no step, frame or chapter, expected one of them.'],
  [{ sparsescope: { of: 1 }, type: 'play' }, 'sparsescope: found an object, expected 1.'],
  [{ sparsescope: 1, type: [] }, 'type: found a list, expected one of go, play, pause.'],
  [{ sparsescope: 1, type: 'go', step: true }, 'step: found true, expected a whole number from 0.'],
  ['text', null],
  [null, null],
])('readRequest(%j) returns %j', (data, result) => {
  expect(readRequest(data)).toEqual(result);
});

test('readRequest describes values that JSON cannot write', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(readRequest({ sparsescope: 1n, type: 'play' })).toBe('sparsescope: found a BigInt, expected 1.');
  expect(readRequest({ sparsescope: 1, type: cycle })).toBe('type: found an object, expected one of go, play, pause.');
  expect(readRequest({ sparsescope: 1, type: 'go', step: 2n ** 4_000_000n })).toBe(
    'step: found a BigInt, expected a whole number from 0.',
  );
});
