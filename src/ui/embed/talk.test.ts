import { describe, expect, test } from 'vitest';
import { fakeSession, settle } from '../../../test/fake-engine.ts';
import { readRequest } from './protocol.ts';
import { type FramedWindow, type MessageLike, talk } from './talk.ts';

const HOST = 'https://example.org';

/** An embedded stage with a story, and the page around it. */
async function framed(): Promise<{
  readonly told: { message: Record<string, unknown>; to: string }[];
  readonly say: (data: unknown, from?: Partial<MessageLike>) => void;
  readonly end: () => void;
  readonly player: ReturnType<typeof fakeSession>['player'];
}> {
  const told: { message: Record<string, unknown>; to: string }[] = [];
  const parent = {
    postMessage: (message: unknown, to: string) => void told.push({ message: message as Record<string, unknown>, to }),
  };
  const listeners = new Set<(event: MessageLike) => void>();
  const window: FramedWindow = {
    parent,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  const { session, player } = fakeSession();
  const end = talk(window, HOST, { session, player });
  await session.start();
  await settle();
  const say = (data: unknown, from: Partial<MessageLike> = {}): void => {
    for (const listener of listeners) listener({ data, origin: HOST, source: parent, ...from });
  };
  return { told, say, end, player };
}

describe('an embedded stage', () => {
  test('says that it is ready, and each step, to its host and nobody else', async () => {
    const { told, player } = await framed();
    const { stepCount, chapters } = player.store.getState();
    expect(told[0].message).toMatchObject({ sparsescope: 1, type: 'ready', step: 0, steps: stepCount, playing: false });
    expect(told[0].message.chapters).toHaveLength(chapters.length);
    player.next();
    expect(told.at(-1)?.message).toMatchObject({ type: 'step', step: 1, chapter: chapters[0].id });
    expect(new Set(told.map(({ to }) => to))).toEqual(new Set([HOST]));
  });

  test('goes where its host asks', async () => {
    const { say, player } = await framed();
    const { chapters, stepCount } = player.store.getState();
    say({ sparsescope: 1, type: 'go', step: 3 });
    expect(player.store.getState().step).toBe(3);
    say({ sparsescope: 1, type: 'go', chapter: chapters[0].id });
    expect(player.store.getState().step).toBe(0);
    say({ sparsescope: 1, type: 'play' });
    expect(player.store.getState().playing).toBe(true);
    say({ sparsescope: 1, type: 'go', step: stepCount });
    expect(player.store.getState()).toMatchObject({ playing: false, step: stepCount });
  });

  test('does not hear other origins, nor other windows of the same', async () => {
    const { say, player, told } = await framed();
    const before = told.length;
    say({ sparsescope: 1, type: 'go', step: 3 }, { origin: 'https://attacker.example' });
    say({ sparsescope: 1, type: 'go', step: 3 }, { source: {} });
    say({ hello: 'extension' });
    expect(player.store.getState().step).toBe(0);
    expect(told).toHaveLength(before);
  });

  test('says what is wrong with a request, and stays where it is', async () => {
    const { say, player, told } = await framed();
    const { stepCount } = player.store.getState();
    const answers = (data: unknown): unknown => {
      say(data);
      return told.at(-1)?.message;
    };
    expect(answers({ sparsescope: 1, type: 'go', step: stepCount + 1 })).toMatchObject({
      type: 'problem',
      message: `step: found ${stepCount + 1}, expected at most ${stepCount}.`,
    });
    expect(answers({ sparsescope: 1, type: 'go', chapter: 'nowhere' })).toMatchObject({ type: 'problem' });
    expect(player.store.getState().step).toBe(0);
  });

  test('says nothing once that is ended', async () => {
    const { told, player, end } = await framed();
    end();
    const before = told.length;
    player.next();
    expect(told).toHaveLength(before);
  });
});

test.each([
  [{ sparsescope: 2, type: 'play' }, 'sparsescope: found 2, expected 1.'],
  [{ sparsescope: 1, type: 'run' }, "type: found 'run', expected one of go, play, pause."],
  [{ sparsescope: 1, type: 'go', step: -1 }, 'step: found -1, expected a whole number from 0.'],
  [{ sparsescope: 1, type: 'go', step: '3' }, "step: found '3', expected a whole number from 0."],
  [{ sparsescope: 1, type: 'go' }, 'go: found neither a step nor a chapter, expected one of them.'],
  [{ sparsescope: { of: 1 }, type: 'play' }, 'sparsescope: found an object, expected 1.'],
  [{ sparsescope: 1, type: [] }, 'type: found a list, expected one of go, play, pause.'],
  [{ sparsescope: 1, type: 'go', step: true }, 'step: found true, expected a whole number from 0.'],
  ['text', null],
  [null, null],
])('%j is answered', (data, answer) => {
  expect(readRequest(data)).toEqual(answer);
});

test('a message that JSON cannot write is answered', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(readRequest({ sparsescope: 1n, type: 'play' })).toBe('sparsescope: found a BigInt, expected 1.');
  expect(readRequest({ sparsescope: 1, type: cycle })).toBe('type: found an object, expected one of go, play, pause.');
  expect(readRequest({ sparsescope: 1, type: 'go', step: 2n ** 4_000_000n })).toBe(
    'step: found a BigInt, expected a whole number from 0.',
  );
});
