// UserFormatSession, which evaluates the module in the editor, and outlineOf, which parses a module without running it.

import { describe, expect, test } from 'vitest';
import { localRunners, starterText } from '../test/own-runner.ts';
import { matrixOf } from '../../../test/matrices.ts';
import { narrationText } from '../../../src/story/scene.ts';
import { loadStory } from '../../../src/story/format-story.ts';
import { outlineOf } from './outline.ts';
import { type ModuleEvaluation, UserFormatSession } from './user-format-session.ts';
import { STARTERS } from './starters.ts';

const A = matrixOf([0, 0.5, 0, 2], [0, 0, 0, 0], [1, 0, 0, 0]);

/** An `evaluate` on this thread, and the titles of the modules whose evaluation was ended. */
function recordingEvaluate(): { readonly ended: string[]; readonly evaluate: (text: string) => ModuleEvaluation } {
  const ended: string[] = [];
  return {
    ended,
    evaluate: (text) => ({
      ...localRunners(text),
      end: () => void ended.push(/title = '([^']*)'/.exec(text)?.[1] ?? ''),
    }),
  };
}

describe('a session with the module in the editor', () => {
  test('supports only matrices that the module was run on', async () => {
    const session = new UserFormatSession(recordingEvaluate().evaluate);
    const opened = await session.open('gaps', starterText('deltas'));
    if (opened?.kind !== 'done') throw new Error('not opened');
    const { format, description } = opened.result;
    expect([format.id, description.title, Object.keys(format.params)]).toEqual(['mine:gaps', 'delta bytes', ['bits']]);
    const params = { bits: 4 };
    expect(format.admits(A, params)).toMatchObject({ reason: 'the module was not run on this matrix' });
    expect((await opened.result.roundTrip(A, params, true)).kind).toBe('done');
    expect(format.storage(format.encode(A, params)).totalBytes).toBe(6 + 2 + 16);
    const story = await loadStory(format);
    expect(narrationText(story.scene(story.trace(A, params), 1))).toMatch(/^1 column is skipped/);
    // The module was not run with these parameters.
    expect(format.admits(A, { bits: 8 }).ok).toBe(false);
    const laws = await opened.result.laws(params, { now: () => 0 });
    expect(laws.kind === 'done' && laws.result.laws.every(({ broken }) => broken === null)).toBe(true);
  });

  test('ends the evaluation of an earlier text, and ignores its answer', async () => {
    const { evaluate, ended } = recordingEvaluate();
    const session = new UserFormatSession(evaluate);
    const early = session.open('x', starterText('coo'));
    const late = session.open('x', starterText('csr'));
    expect([await early, (await late)?.kind, ended]).toEqual([null, 'done', ['COO']]);
    session.close();
    expect(ended).toEqual(['COO', 'CSR']);
  });

  test('reports why a text cannot be evaluated', async () => {
    const session = new UserFormatSession(recordingEvaluate().evaluate);
    expect(await session.open('x', 'export const title = ;')).toMatchObject({ kind: 'failed', message: /SyntaxError/ });
    await expect(session.open('x', 'export const title = 7;')).rejects.toThrow('title: found none, expected 1 to 60');
  });
});

describe('an outline', () => {
  test('reads every starter as it describes itself, without running it', async () => {
    for (const { title, text } of STARTERS) {
      const { title: outlineTitle, arrays, lines } = outlineOf(text);
      expect([outlineTitle, lines]).toEqual([title, text.split('\n').length]);
      expect(arrays.length).toBeGreaterThan(1);
      expect(arrays.filter(([, declaration]) => !/^\S+ (?:values|indices|metadata)$/.test(declaration))).toEqual([]);
    }
    const declared = outlineOf(starterText('deltas')).arrays.map((array) => array.join(': '));
    expect(declared).toEqual(['values: f16 values', 'gaps: u${bits} indices', 'starts: u32 metadata']);
  });

  test('is empty for a text without exports, of any length', () => {
    expect(outlineOf('')).toEqual({ title: null, arrays: [], lines: 1 });
    expect(outlineOf('throw 1')).toEqual({ title: null, arrays: [], lines: 1 });
    const long = `export const title = '\u202ex';\nexport const arrays = {${"a: 'u8 values', ".repeat(1e5)}`;
    const { title, arrays } = outlineOf(long);
    expect([title, arrays.length]).toEqual(['\ufffdx', 16]);
  });
});
