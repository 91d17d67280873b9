// Runs scripts of commands on a session, and records what the page shows after each, for golden tests.

import { isDeepStrictEqual } from 'node:util';
import { counted } from '../src/core/text/words.ts';
import type { BaseSource } from '../src/engine/matrix/source-types.ts';
import { choiceA } from '../src/state/document.ts';
import { fakeSession, settle } from './fake-engine.ts';

type Page = ReturnType<typeof fakeSession>;

/** The visible state of a page, part by part. */
function shownOf({ session, document, player, origins }: Page, agreeable: readonly string[]): object {
  const doc = document.getState();
  const state = session.store.getState();
  const { summary, trace, choice, overLimit, question, opening, arriving } = state;
  return {
    view: doc.view,
    source: doc.source,
    a: choiceA(doc),
    b: doc.formatB,
    tokens: doc.tokens,
    window: doc.window,
    steps: `${player.store.getState().step} of ${player.store.getState().stepCount}, ${doc.step} in the document`,
    matrix: summary && `${summary.name}, ${summary.rows} × ${summary.cols}, ${counted(summary.nnz, 'non-zero')}`,
    trace: trace.kind === 'failed' ? trace.reason : trace.kind,
    encodings: Object.entries(state.encodings).map(
      ([id, { kind, params }]) => `${id} ${JSON.stringify(params)} ${kind}`,
    ),
    opening: opening?.title ?? null,
    arriving: arriving !== null,
    choice: choice?.tensors.map(({ name }) => name) ?? null,
    overLimit,
    question: question && `${question.host} for ${question.address}${question.isPrivate ? ', nearby' : ''}`,
    agreed: agreeable.filter((origin) => origins.has(origin)),
    error: state.error,
    problems: state.problems,
  };
}

/** The start of a script: the source of its address, and hosts that the user has agreed to before. */
export interface Begin {
  readonly source?: BaseSource;
  readonly agreed?: readonly string[];
  readonly of?: object;
}

const FILES = new Set(['openFile', 'openFiles']);

/**
 * Returns what changed on the page after each command, and its requests to the engine. A command is a method of the
 * session with its arguments in JSON, the names of files for files; `restore` has the changed properties of the document, `die`
 * ends the engine, and `seek` moves the player. The script waits for each command, unless it begins with `~`.
 */
export async function shownAfter(
  commands: readonly string[],
  { source, agreed = [], of = {} }: Begin = {},
): Promise<string> {
  const page = fakeSession();
  const { session, document, player, engine, origins } = page;
  for (const origin of agreed) origins.agree(origin);
  const agreeable = [...new Set([...agreed, 'https://far.example', 'http://192.168.0.1'])];
  document.setState({ ...document.getState(), ...(source && { source }), ...of });
  let before: object = {};
  let calls = 0;
  const say = (command: string): string => {
    const now = shownOf(page, agreeable);
    const changed = Object.entries(now).filter(
      ([name, value]) => !isDeepStrictEqual(value, Object.entries(before).find(([key]) => key === name)?.[1] ?? null),
    );
    before = now;
    // Ranks are requested once the page is idle, at any time.
    const requests = engine.calls.slice(calls).filter((call) => !call.startsWith('ranks'));
    calls = engine.calls.length;
    return [
      command,
      ...changed.map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
      ...(requests.length > 0 ? [`  asks: ${requests.join('; ')}`] : []),
      '',
    ].join('\n');
  };
  const run = (name: string, given: readonly never[]): unknown => {
    if (name === 'restore') return session.restore({ ...document.getState(), ...(given[0] as object) });
    if (name === 'seek') return player.seek(given[0]);
    if (name === 'die') return engine.die();
    const args = FILES.has(name) ? given.map((file) => new File(['x'], file)) : given;
    return (session[name as 'openExample'] as (...all: readonly unknown[]) => unknown)(...args);
  };
  await session.loadStories();
  const starts = session.start();
  if (!source) await starts;
  await session.loadRuns();
  await settle();
  const begin = say('at first');
  const isUsual = !source && Object.keys(of).length === 0 && commands.length > 0;
  const lines = isUsual ? [] : [begin];
  for (const command of commands) {
    const [, tilde, name, args = ''] = /^(~?)(\w+) ?(.*)$/s.exec(command) ?? [];
    const done = run(name, JSON.parse(`[${args}]`) as readonly never[]);
    if (tilde === '') await done;
    await settle();
    lines.push(say(command));
  }
  return lines.join('');
}
