// Fuzz target for the messages that an embedding page sends to an embedded stage.

import { CATALOG, fakeSession, settle } from '../../test/fake-engine.ts';
import type { Random } from '../../src/core/number/random.ts';
import type { Pace } from '../../src/core/pace.ts';
import {
  type EmbeddedWindow,
  type MessageLike,
  stageReporter,
  serveEmbedder,
} from '../../src/pages/embed/embedder-messages.ts';
import { rangesToRemove, pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../target.ts';
import { messageFault } from '../words.ts';

const HOST = 'https://example.org';
const CONTEXT = { layout: 'wide', wholeMatrix: null, recordedTimes: null } as const;

/** An object that contains itself. */
const CYCLE: { self?: unknown } = {};
CYCLE.self = CYCLE;

/** Values that JSON cannot represent, or only as a long text, by the names that stand for them in a saved case. */
const SPECIAL_VALUES: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['$bigint', 2n ** 1_000_000n],
  ['$cycle', CYCLE],
  ['$date', new Date(Number.NaN)],
  ['$map', new Map([['step', 1]])],
  ['$array', new Float32Array(1_000_000)],
  ['$long', '\u202e'.repeat(1_000_000)],
  ['$nan', Number.NaN],
  ['$nothing', undefined],
]);

/** Unexpected values of fields. */
const ODD_VALUES = [
  ...SPECIAL_VALUES.keys(),
  null,
  '',
  'run',
  'constructor',
  -1,
  0,
  0.5,
  3,
  7,
  1e9,
  1e308,
  true,
  [],
  {},
];

type Fields = Readonly<Record<string, unknown>>;

/** A message with odd values, or a valid one to play, pause or go to a frame or step. */
function randomMessage(random: Random): unknown {
  switch (random.below(8)) {
    case 0:
      return pick(random, ODD_VALUES);
    case 1:
      return { sparsescope: pick(random, ODD_VALUES), type: pick(random, ODD_VALUES), step: pick(random, ODD_VALUES) };
    case 2:
      return { sparsescope: 1, type: pick(random, ['go', ...ODD_VALUES]), chapter: pick(random, ODD_VALUES) };
    case 3:
      return { sparsescope: 1, type: pick(random, ['play', 'pause']) };
    case 4:
      return { sparsescope: 1, type: 'go', [pick(random, ['step', 'frame'])]: pick(random, ODD_VALUES) };
    case 5:
      return { sparsescope: 1, type: 'go', frame: random.below(9) };
    default:
      return { sparsescope: 1, type: 'go', step: random.below(9) };
  }
}

/** Returns the message with the values that names of SPECIAL_VALUES stand for. */
function withSpecialValues(message: unknown): unknown {
  const value = (field: unknown): unknown => (SPECIAL_VALUES.has(field) ? SPECIAL_VALUES.get(field) : field);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return value(message);
  return Object.fromEntries(Object.entries(message as Fields).map(([key, field]) => [key, value(field)]));
}

/**
 * Sends messages to a stage, all within one animation frame (at once) or one per frame. Returns the player's state
 * afterwards as JSON, and the problems that the stage reported.
 */
async function playMessages(
  messages: readonly unknown[],
  timing: 'at once' | 'one by one',
): Promise<{ state: string; problems: string[] }> {
  const problems: string[] = [];
  const parent = {
    postMessage(message: unknown) {
      const fields = message as Fields;
      if (fields.type === 'problem') problems.push(String(fields.message));
    },
  };
  const listeners = new Set<(event: MessageLike) => void>();
  const embeddedWindow: EmbeddedWindow = {
    parent,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  const { session, player } = fakeSession();
  let now = 0;
  let wake = (): void => {};
  const pace: Pace = { now: () => now, pause: () => new Promise((resolve) => (wake = resolve)) };
  const reporter = stageReporter({ session, player, formats: CATALOG.formats }, () => CONTEXT);
  const stopServing = serveEmbedder(embeddedWindow, HOST, { reporter, player }, pace);
  await session.start();
  await settle();
  const nextFrame = async (): Promise<void> => {
    now += 100;
    wake();
    await Promise.resolve();
    await Promise.resolve();
  };
  for (const message of messages) {
    for (const listener of listeners) listener({ data: withSpecialValues(message), origin: HOST, source: parent });
    if (timing === 'one by one') await nextFrame();
  }
  await nextFrame();
  const { step, frame: currentFrame, playing } = player.store.getState();
  stopServing();
  return { state: JSON.stringify({ step, frame: currentFrame, playing }), problems };
}

/** Maximum number of messages that are also sent one by one. */
const MAX_COMPARED = 20;

/** Finds a problem text that breaks a law, or a final state that depends on how messages are spread over frames. */
async function check(messages: readonly unknown[]): Promise<Fault | null> {
  const atOnce = await playMessages(messages, 'at once');
  for (const problem of atOnce.problems) {
    const fault = messageFault(problem);
    if (fault) return fault;
  }
  // One frame per message takes long, so only cases of few messages are compared.
  if (messages.length > MAX_COMPARED) return null;
  const repeated = await playMessages(messages, 'at once');
  const oneByOne = await playMessages(messages, 'one by one');
  const isSame =
    atOnce.state === repeated.state &&
    atOnce.state === oneByOne.state &&
    repeated.problems.length === oneByOne.problems.length;
  if (isSame) return null;
  return {
    law: 'messages of one frame have the same result as one by one',
    message: `found ${atOnce.state}, expected ${oneByOne.state}`,
  };
}

/** Messages to an embedded stage, from a hostile page around it. */
export const messagesTarget = defineTarget<readonly unknown[]>({
  id: 'messages',
  unit: 'talks',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate: (random) => Array.from({ length: pick(random, [1, 3, 8, 20, 20, 300]) }, () => randomMessage(random)),
  check,
  *smaller(messages) {
    for (const [from, to] of rangesToRemove(messages.length)) yield [...messages.slice(0, from), ...messages.slice(to)];
  },
  toJson: (messages) => messages,
  fromJson: (value) => value as readonly unknown[],
});
