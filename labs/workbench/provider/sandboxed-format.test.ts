// A custom format on the page: its module runs in a sandbox, and its results go to the worker and the stories.

import { describe, expect, it } from 'vitest';
import { localRunners, starterText } from '../test/own-runner.ts';
import { resolvedParams } from '../../../src/core/format.ts';
import { generate } from '../../../src/generate/generate.ts';
import { CsrMatrix, toCsr } from '../../../src/core/matrix/index.ts';
import { loadStory } from '../../../src/story/format-story.ts';
import type { UserFormatRegistration, UserFormatResult } from '../own/user-formats.ts';
import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { inflatedText } from '../library/deflated-text.ts';
import { sandboxedFormat, type Evaluate } from './sandboxed-format.ts';

const DELTAS = starterText('deltas');
const MATRIX = new CsrMatrix(toCsr(generate({ pattern: 'uniform', rows: 12, cols: 40, density: 0.2, seed: 2 })));

/** Returns a function that evaluates modules on this thread, and the numbers of begun and ended evaluations. */
function evaluations(): { readonly evaluate: Evaluate; readonly count: () => { begun: number; ended: number } } {
  const counts = { begun: 0, ended: 0 };
  const evaluate: Evaluate = (text) => {
    counts.begun++;
    return { ...localRunners(text), end: () => void counts.ended++ };
  };
  return { evaluate, count: () => ({ ...counts }) };
}

/** Opens a module's text as a format; fails if it cannot run. */
async function opened(text = DELTAS) {
  const { evaluate, count } = evaluations();
  const result = await sandboxedFormat('gaps', text, evaluate);
  if ('why' in result) throw new Error(result.why);
  const { format } = result;
  if (!format.sandboxed) throw new Error('found no sandbox');
  return { format, sandboxed: format.sandboxed, params: resolvedParams(format.params, {}, MATRIX), count };
}

/** Returns an engine in which MATRIX is open, and the registrations that were sent to it. */
function engineWith(generation: number) {
  const sent: UserFormatRegistration[] = [];
  const { rows, cols, indptr, indices, data } = MATRIX;
  return {
    sent,
    cells: async () => ({ generation, rows, cols, indptr, indices, data }),
    registerFormat: async (_: object, registration: never) => void sent.push(registration),
  };
}

describe('a custom format on the page', () => {
  it('has the title of its module, and a link that contains the module', async () => {
    const { format, sandboxed } = await opened();
    expect(format).toMatchObject({ id: 'mine:gaps', title: 'delta bytes', group: 'your own' });
    expect(await inflatedText('the link', sandboxed.link, MODULE_BOUNDS)).toBe(DELTAS);
  });

  it('has the story of a window once its module has run on it', async () => {
    const { format, sandboxed, params } = await opened();
    expect(sandboxed.hasResult(MATRIX, params)).toBe(false);
    await sandboxed.encodeWindow(MATRIX, params);
    expect(sandboxed.hasResult(MATRIX, params)).toBe(true);
    const story = await loadStory(format);
    expect(story.admits(MATRIX, params)).toMatchObject({ ok: true });
    expect(story.trace(MATRIX, params).steps.length).toBeGreaterThan(MATRIX.nnz);
  });

  it('sends the engine its description, and its result for the open matrix', async () => {
    const { sandboxed, params, count } = await opened();
    const engine = engineWith(3);
    await sandboxed.registerWith(engine, null);
    expect(engine.sent).toMatchObject([{ name: 'gaps', text: DELTAS, matrix: null }]);
    await sandboxed.registerWith(engine, params);
    expect(engine.sent[1]).toMatchObject({ matrix: { generation: 3, params, outcome: { kind: 'done' } } });
    // The second evaluation, for the whole matrix, has ended.
    expect(count()).toEqual({ begun: 2, ended: 1 });
  });

  it('encodes any other matrix, and returns the result with all parameters', async () => {
    const { sandboxed } = await opened();
    const output = (await sandboxed.encode(MATRIX, { bits: 4 })) as UserFormatResult;
    expect(output).toMatchObject({ params: { bits: 4 }, outcome: { kind: 'done' } });
  });

  it('rejects and ends its evaluation once it is cancelled', async () => {
    const { sandboxed, params, count } = await opened();
    const abort = new AbortController();
    const encoding = sandboxed.encode(MATRIX, params, abort.signal);
    abort.abort();
    await expect(encoding).rejects.toThrow('cancelled');
    expect(count().ended).toBeGreaterThan(0);
  });

  it.each([
    ['export const title = ;', 'SyntaxError'],
    [DELTAS.replace('delta bytes', ''), 'title'],
    ["throw new Error('not today');", 'not today'],
  ])('reports why it cannot be run: %s', async (text, why) => {
    const result = await sandboxedFormat('gaps', text, evaluations().evaluate);
    expect('why' in result && result.why).toContain(why);
  });

  it('passes on the author’s message that a matrix is not supported', async () => {
    const text = `${DELTAS}\nexport const refuses = (A) => (A.nnz > 3 ? 'More than three are too many.' : null);`;
    const { format, sandboxed, params } = await opened(text);
    await sandboxed.encodeWindow(MATRIX, params);
    const story = await loadStory(format);
    expect(story.admits(MATRIX, params)).toMatchObject({ ok: false, reason: 'More than three are too many.' });
  });
});
