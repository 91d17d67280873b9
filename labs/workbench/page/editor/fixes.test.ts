// Fixes that the editor offers for messages of WGSL compilers, and the range of text that a message marks.

import { describe, expect, it } from 'vitest';
import { fixOf, rangeOfMessage } from './fixes.ts';

/** Returns the text after the fix of a message about the text `covered` in `source`; null if there is no fix. */
function fixed(message: string, source: string, covered: string): string | null {
  const from = source.lastIndexOf(covered);
  const fix = fixOf(message, source, from, from + covered.length);
  if (fix === null) return null;
  const { edit } = fix;
  return source.slice(0, edit.from) + edit.insert + source.slice(edit.to);
}

describe('fixOf(message, source, from, to)', () => {
  it.each([
    [
      "type mismatch for argument 3 in call to 'inner_steps', expected 'ptr<function, u32, read_write>', got 'u32'",
      'f(walked)',
      'walked',
      'f(&walked)',
    ],
    ["expected ';' for assignment statement", 'a = 1.0 // one\n\n  b = 2.0;', 'b', 'a = 1.0; // one\n\n  b = 2.0;'],
    [
      "cannot call built-in function 'subgroupAdd' without extension 'subgroups'",
      '// head\nfn f() { subgroupAdd(1); }',
      'subgroupAdd',
      '// head\nenable subgroups;\nfn f() { subgroupAdd(1); }',
    ],
    ["'f16' type used without 'f16' extension enabled", 'let a: f16;', 'f16', 'enable f16;\nlet a: f16;'],
    ["'let k' declared here", 'let  k = 2u;', 'k', 'var k = 2u;'],
    ["unresolved value 'smu'", 'var sum = 0.0; y = smu;', 'smu', 'var sum = 0.0; y = sum;'],
    ["unresolved call target 'lod'", 'fn load() {} lod', 'lod', 'fn load() {} load'],
  ])('returns an edit that fixes %j', (message, source, covered, after) => {
    expect(fixed(message, source, covered)).toBe(after);
  });

  it.each([
    ["expected 'ptr<function, u32, read_write>', got 'f32'", 'f(walked)', 'walked'],
    ["expected 'ptr<function, u32, read_write>', got 'u32'", 'f(walked + 1)', 'walked + 1'],
    ["expected ';' for variable declaration", 'let b = a + 1.5u;', 'u'],
    ["unresolved value 'sun'", 'var sum = 0; var run = 1; sun', 'sun'],
    ["cannot assign 'f32' to 'u32'", 'sum = 1.0;', '='],
  ])('returns null where a fix would be a guess: %j', (message, source, covered) => {
    expect(fixed(message, source, covered)).toBeNull();
  });
});

describe('rangeOfMessage(lines, place)', () => {
  const lines = ['fn main() {', '  sum += walked;', '}'];

  it('covers the whole name if the compiler reports only its first letter', () => {
    expect(rangeOfMessage(lines, { line: 2, column: 10, length: 0 })).toEqual({ line: 2, from: 9, to: 15 });
  });

  it('covers the line where no column is known, and stays within the text', () => {
    expect(rangeOfMessage(lines, { line: 2, column: 0, length: 0 })).toEqual({ line: 2, from: 2, to: 16 });
    expect(rangeOfMessage(lines, { line: 9, column: 1, length: 99 })).toEqual({ line: 3, from: 0, to: 1 });
  });
});

it('fixOf finds the place for a directive in linear time, also in a text of many empty lines or directives', () => {
  const message = "type 'f16' used without 'f16' extension enabled";
  for (const source of ['\n'.repeat(2 ** 16), `/*\n${'enable\n'.repeat(9000)}*/`]) {
    expect(fixOf(message, source, 0, 0)?.title).toBe('write enable f16;');
  }
});
