// LiveModule, which evaluates the module of a format while the user types.

import { describe, expect, test } from 'vitest';
import { localRunners, starterText } from '../../../test/own-runner.ts';
import { matrixOf } from '../../../../../test/matrices.ts';
import { CsrMatrix, toCsr } from '../../../../../src/core/matrix/index.ts';
import type { Request } from '../../../own/module-messages.ts';
import type { Runner } from '../../../own/module-requests.ts';
import type { ModuleEvaluation } from '../../../own/user-format-session.ts';
import { LiveModule, type LiveModuleOptions } from './live-module.ts';
import type { LiveModuleState, ModuleTask } from './module-state.ts';

const csrOf = (...rows: readonly number[][]): CsrMatrix => new CsrMatrix(toCsr(matrixOf(...rows)));
const WINDOW = csrOf([0, 0.5, 0, 2], [0, 0, 0, 0], [1, 0, 0, 0]);
const WHOLE = csrOf([0, 0.5, 0, 2, 1, 0, 3, 0]);

const taskOf = (text: string, changes: Partial<ModuleTask> = {}): ModuleTask => ({
  name: 'draft',
  text,
  params: {},
  window: WINDOW,
  goalMatrix: null,
  ...changes,
});

/** A LiveModule that evaluates modules on this thread. */
function moduleOf(options: Partial<LiveModuleOptions> = {}): LiveModule {
  let ms = 0;
  return new LiveModule({
    evaluate: (text) => ({ ...localRunners(text), end: () => {} }),
    now: () => ms++ / 100,
    pageMatrix: () => Promise.resolve({ matrix: WHOLE, isWholeMatrix: true }),
    densities: [0.5, 1].map((density) => ({ density, make: () => WHOLE })),
    ...options,
  });
}

const stateOf = ({ store }: LiveModule): LiveModuleState => store.getState();
const brokenOf = ({ laws }: LiveModuleState): readonly string[] | undefined =>
  laws?.laws.flatMap(({ id, broken }) => (broken ? [id] : []));

/** An evaluation on this thread that never answers the requests `silentRequest`; `onRequest` is called at such a request. */
function silentEvaluation(text: string, silentRequest: Request['ask'], onRequest: () => void): ModuleEvaluation {
  const rejections: ((error: Error) => void)[] = [];
  const waiting = evaluationWith(text, (request, encoder) => {
    if (request.ask !== silentRequest) return encoder.ask(request);
    onRequest();
    return new Promise((_, reject) => rejections.push(reject));
  });
  return { ...waiting, end: () => rejections.forEach((reject) => reject(new Error('the module was ended'))) };
}

/** An evaluation on this thread, in which `ask` answers requests to the encoder. */
function evaluationWith(text: string, ask: (request: Request, encoder: Runner) => Promise<unknown>): ModuleEvaluation {
  const { encoder, decoder } = localRunners(text);
  return { decoder, encoder: { ask: (request) => ask(request, encoder) }, end: () => {} };
}

describe('a live module in the editor', () => {
  test('reports every step of evaluating a text, one after another', async () => {
    const module = moduleOf();
    const order: string[] = [];
    module.store.subscribe((state, before) => {
      for (const part of ['description', 'story', 'laws', 'lawsMs', 'goalLedger', 'wholeBytes', 'dots'] as const) {
        if (state[part] !== before[part] && state[part] !== null && !order.includes(part)) order.push(part);
      }
    });
    await module.open(taskOf(starterText('deltas'), { goalMatrix: WHOLE, params: { bits: 4 } }));
    const { phase, params, description, laws, goalLedger, wholeBytes, dots, story, problem } = stateOf(module);
    expect(order).toEqual(['description', 'story', 'laws', 'lawsMs', 'goalLedger', 'wholeBytes', 'dots']);
    expect([phase, problem, params, description?.title]).toEqual(['done', null, { bits: 4 }, 'delta bytes']);
    expect([[brokenOf(stateOf(module)), laws?.matrices], story?.trace.window.rows]).toEqual([[[], 79], 3]);
    expect(goalLedger?.totalBytes).toBe(wholeBytes?.ledger?.totalBytes);
    // Bytes of every combination of its parameters, ascending.
    expect(wholeBytes?.settings.map((setting) => setting.params)).toEqual([{ bits: 4 }, { bits: 8 }, { bits: 16 }]);
    expect([wholeBytes?.triedSettings, wholeBytes?.settingCount]).toEqual([3, 3]);
    expect(dots.map(({ density }) => density)).toEqual([0.5, 1]);
  });

  test('uses the newest text, regardless of when the older one answers', async () => {
    const module = moduleOf();
    const early = module.open(taskOf(starterText('coo')));
    const late = module.open(taskOf(starterText('csr')));
    await Promise.all([early, late]);
    expect([stateOf(module).description?.title, stateOf(module).phase]).toEqual(['CSR', 'done']);
  });

  test('points at the line that stored the element that breaks a law', async () => {
    const module = moduleOf();
    const text = starterText('deltas').replace('gaps.push(column - next);', 'gaps.push(column - next + 1);');
    await module.open(taskOf(text));
    expect(brokenOf(stateOf(module))).toEqual(['round-trip', 'cells-once']);
    const [{ law, cause, matrix }] = stateOf(module).counterexamples;
    expect([law, matrix.rows]).toEqual(['round-trip', 1]);
    expect(text.split('\n')[(cause?.line ?? 0) - 1]).toContain('gaps.push(column - next + 1);');
  });

  test('keeps the last picture while a text does not run, and reports the line', async () => {
    const module = moduleOf();
    await module.open(taskOf(starterText('csr')));
    const { story } = stateOf(module);
    await module.open(taskOf(starterText('csr').replace('for (const row of A) {', 'for (const row of A.b.c) {')));
    expect(stateOf(module)).toMatchObject({ isStoryOld: true, problem: { line: 9, message: /^TypeError: / } });
    expect(stateOf(module).story).toBe(story);
    await module.open(taskOf(starterText('csr')));
    expect(stateOf(module)).toMatchObject({ isStoryOld: false, problem: null });
  });

  test('finds the line of a syntax error', async () => {
    const module = moduleOf();
    await module.open(
      taskOf(starterText('csr').replace('columns.push(row.columns[i]);', 'columns.push(row.columns[i)];')),
    );
    expect(stateOf(module).problem).toMatchObject({ line: 14, message: expect.stringMatching(/^SyntaxError: /) });
    expect(stateOf(module)).toMatchObject({ laws: null, wholeBytes: null, dots: [] });
  });

  test('distinguishes a window that is not supported from a fault', async () => {
    const module = moduleOf();
    await module.open(
      taskOf(`${starterText('coo')}\nexport const refuses = (A) => A.rows === 3 && 'three rows are too many';`),
    );
    const { rejection, problem, laws } = stateOf(module);
    expect([rejection, problem, (laws?.refused.length ?? 0) > 0]).toEqual(['three rows are too many.', null, true]);
  });

  test('reports an invalid answer of a module', async () => {
    const module = moduleOf();
    await module.open(taskOf(starterText('coo').replace("'u16 indices'", "'u99 indices'")));
    expect(stateOf(module).problem?.message).toMatch(/^arrays\.rows: found 'u99 indices', expected a type/);
    expect(stateOf(module).phase).toBe('done');
  });

  test('asks the user about a slow module, waits, and ends it', async () => {
    let reportSlow: (request: Request['ask']) => void = () => {};
    let requested = (): void => {};
    const reached = new Promise<void>((resolve) => (requested = resolve));
    const module = moduleOf({
      evaluate: (text, onSlow) => {
        reportSlow = onSlow;
        return silentEvaluation(text, 'encode', requested);
      },
    });
    const done = module.open(taskOf(starterText('coo')));
    await reached;
    reportSlow('encode');
    expect(stateOf(module).slowRequest).toBe('encode');
    module.wait();
    expect(stateOf(module)).toMatchObject({ slowRequest: null, phase: 'running' });
    reportSlow('encode');
    module.cancel();
    expect(stateOf(module)).toMatchObject({ slowRequest: null, phase: 'done' });
    expect(stateOf(module).problem?.message).toMatch(/^encode was ended after \d+\.\d s\.$/);
    await done;
    expect(stateOf(module).problem?.message).toMatch(/^encode was ended/);
    // The page does not ask about a request that nothing waits for.
    reportSlow('encode');
    expect(stateOf(module).slowRequest).toBe(null);
  });

  test('stops asking after the module has answered', async () => {
    let [answer, reached] = [(): void => {}, (): void => {}];
    const released = new Promise<void>((resolve) => (answer = resolve));
    const isRequested = new Promise<void>((resolve) => (reached = resolve));
    const module = moduleOf({
      evaluate: (text, onSlow) =>
        evaluationWith(text, async (request, encoder) => {
          if (request.ask === 'describe') {
            onSlow('describe');
            reached();
            await released;
          }
          return encoder.ask(request);
        }),
    });
    const texts: (string | null)[] = [];
    module.store.subscribe(({ description, slowRequest }) => texts.push(description === null ? null : slowRequest));
    const done = module.open(taskOf(starterText('coo')));
    await isRequested;
    expect(stateOf(module)).toMatchObject({ slowRequest: 'describe', description: null });
    answer();
    await done;
    expect(new Set(texts)).toEqual(new Set([null]));
    expect(stateOf(module)).toMatchObject({ slowRequest: null, phase: 'done', problem: null });
  });

  test('evaluates a text again if its sandbox frame was closed', async () => {
    let evaluations = 0;
    const module = moduleOf({
      evaluate: (text) => {
        const isClosed = evaluations++ < 2;
        return evaluationWith(text, (request, encoder) =>
          isClosed ? Promise.reject(new Error('the sandbox was closed')) : encoder.ask(request),
        );
      },
    });
    await module.open(taskOf(starterText('coo')));
    expect([evaluations, stateOf(module).problem, brokenOf(stateOf(module))]).toEqual([3, null, []]);
  });

  test('ignores late answers once it is closed', async () => {
    const module = moduleOf();
    const opening = module.open(taskOf(starterText('coo')));
    module.close();
    await opening;
    expect(stateOf(module)).toMatchObject({ phase: 'idle', description: null, story: null });
  });
});
