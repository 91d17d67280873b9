// Highlighting and indentation of WGSL in the editor.

import { insertNewlineAndIndent } from '@codemirror/commands';
import { indentOnInput } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { wgslLanguage } from './KernelEditor.tsx';

const stateOf = (before: string, after = ''): EditorState =>
  EditorState.create({
    doc: before + after,
    selection: { anchor: before.length },
    extensions: [wgslLanguage(new Map()), indentOnInput()],
  });

/** The text after Enter between `before` and `after`. */
function afterEnter(before: string, after = ''): string {
  let state = stateOf(before, after);
  insertNewlineAndIndent({ state, dispatch: (transaction) => (state = transaction.state) });
  return state.doc.toString();
}

/** The text after the user has typed `typed` after `before`. */
function afterTyping(before: string, typed: string): string {
  const position = before.length;
  const { state } = stateOf(before).update({
    changes: { from: position, insert: typed },
    selection: { anchor: position + typed.length },
    userEvent: 'input.type',
  });
  return state.doc.toString();
}

describe('the indentation of WGSL in the editor', () => {
  it.each([
    ['one step further after {', 'fn main() {', 'fn main() {\n  '],
    ['as the line before inside of a block', 'fn main() {\n  let a = 1;', 'fn main() {\n  let a = 1;\n  '],
    ['a step for each block', 'fn main() {\n  loop {', 'fn main() {\n  loop {\n    '],
    ['one step for two brackets that one line opens', '  f(g(', '  f(g(\n    '],
    ['back where a block has ended', 'fn main() {\n  if (a) {\n  }', 'fn main() {\n  if (a) {\n  }\n  '],
    ['not at all outside of functions', 'fn main() {\n}', 'fn main() {\n}\n'],
    ['not after a { in a comment', 'let a = 1; // {', 'let a = 1; // {\n'],
    ['as its writer has it inside of a comment', '/* {\n   one', '/* {\n   one\n   '],
  ])('is %s', (_name, before, after) => {
    expect(afterEnter(before)).toBe(after);
  });

  it('puts the } after the cursor on a separate line', () => {
    expect(afterEnter('fn main() {', '}')).toBe('fn main() {\n  \n}');
  });

  it.each(['}', ')', ']'])('goes back a step when %s begins a line', (sign) => {
    expect(afterTyping('  {\n    ', sign)).toBe(`  {\n  ${sign}`);
  });

  it('is computed in linear time for a text of brackets only', () => {
    const deep = '{'.repeat(65_536);
    expect(afterEnter(deep).length).toBeGreaterThan(deep.length);
  });
});
