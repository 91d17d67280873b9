// Completions while a format's module is typed.

import { describe, expect, test } from 'vitest';
import { STARTERS } from '../../../own/starters.ts';
import { arraysIn, completionsAt } from './completions.ts';

const DELTAS = STARTERS.find(({ id }) => id === 'deltas')?.text ?? '';

/** The labels of the completions at the mark | in `line`, which is inserted into the body of `encode` of a starter. */
function labelsAt(line: string, isRequested = false): readonly string[] | null {
  const position = DELTAS.indexOf('  const reach');
  const text = `${DELTAS.slice(0, position)}  ${line.replace('|', '')}\n${DELTAS.slice(position)}`;
  return completionsAt(text, position + 2 + line.indexOf('|'), isRequested)?.options.map(({ label }) => label) ?? null;
}

/** The text after the first completion at its mark | was inserted; 'nothing' if there is none. */
function withFirstCompletion(text: string): string {
  const position = text.indexOf('|');
  const textWithoutCursor = text.replace('|', '');
  const completions = completionsAt(textWithoutCursor, position, true);
  if (!completions) return 'nothing';
  const { label, insert = label } = completions.options[0];
  return textWithoutCursor.slice(0, completions.from) + insert + textWithoutCursor.slice(position);
}

describe('completions in a module', () => {
  test.each([
    ['A.|', ['rows', 'cols', 'nnz', 'values', 'row', 'slice', 'at']],
    ['A.ro|', ['rows', 'row']],
    ['A.row|', ['rows']],
    ['row.|', ['index', 'length', 'columns', 'values']],
    ['gaps.p|', ['push', 'pad']],
    ['values.|', ['push', 'pad', 'length', 'get', 'set']],
    ['out.|', ['values', 'gaps', 'starts']],
    ['out?.s|', ['starts']],
    ['params.|', ['bits']],
    ['ga|', ['gaps']],
    ['b|', ['bits']],
  ])('%s', (line, labels) => {
    expect(labelsAt(line)).toEqual(labels);
  });

  test.each(['other.|', 'xyz|', '// A.|', "tell?.('va|", 'gaps.push(|', '|'])('suggests nothing: %s', (line) => {
    expect(labelsAt(line)).toBe(null);
  });

  test('are offered without a typed letter on request', () => {
    expect(labelsAt('gaps.push(|', true)).toEqual(['values', 'gaps', 'starts', 'bits']);
  });

  test('in declarations are types, and then classes of bytes', () => {
    const optionsFor = (declared: string): readonly string[] | undefined =>
      completionsAt(declared, declared.length, false)?.options.map(({ label }) => label);
    expect(optionsFor("export const arrays = {\n  gaps: 'u")).toEqual(['u1', 'u2', 'u4', 'u8', 'u16', 'u32']);
    expect(optionsFor("export const arrays = {\n  gaps: 'u16 ")).toEqual(['values', 'indices', 'metadata']);
    expect(optionsFor("export const arrays = {\n  gaps: 'u16 m")).toEqual(['metadata']);
    expect(withFirstCompletion("export const arrays = {\n  gaps: 'f1|'")).toBe(
      "export const arrays = {\n  gaps: 'f16 '",
    );
  });

  test('at the beginning of a line are the missing exports', () => {
    const labels = (text: string): readonly string[] =>
      completionsAt(text, text.length, false)?.options.map(({ label }) => label) ?? [];
    expect(labels('e')).toEqual(['title', 'params', 'arrays', 'encode', 'decode', 'refuses']);
    expect([labels(`${DELTAS}\nexport `), labels(`${DELTAS}\nexp`)]).toEqual([[], ['refuses']]);
    expect(labels(`${DELTAS}\nexport function r`)).toEqual(['refuses']);
    expect(withFirstCompletion('export const ti|')).toBe("export const title = '';");
    expect(withFirstCompletion('dec|')).toBe('export function decode(arrays, { rows, cols }, put) {\n  \n}');
  });

  test('replace the typed letters', () => {
    expect(
      withFirstCompletion(`export const arrays = { gaps: 'u8 indices' };\nfunction f() {\n  gap|.push(1);\n}`),
    ).toContain('\n  gaps.push(1);');
    expect(withFirstCompletion("export const arrays = { gaps: 'u8 indices' };\n  gaps.pu|")).toMatch(
      /gaps\.push\(value\)$/,
    );
  });
});

describe('arraysIn, arrays by the class of their bytes', () => {
  test('reads the arrays from the text of every starter', () => {
    for (const { id, text } of STARTERS) expect([id, arraysIn(text).size > 1]).toEqual([id, true]);
    const arrays = { values: 'values', gaps: 'indices', starts: 'metadata' };
    expect([...arraysIn(DELTAS)]).toEqual(Object.entries(arrays));
    expect(arraysIn("export const arrays = { a: 'u8 somethings', b: 'u8' };").size).toBe(0);
  });
});
