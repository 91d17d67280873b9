// The tokens and functions of a WGSL text.

import { describe, expect, it } from 'vitest';
import { wgslFunctions, wgslTokens } from './wgsl-functions.ts';

describe('tokens of WGSL', () => {
  it('omit comments, also nested block comments', () => {
    const code = 'a // for {\n/* while /* loop */ { */ b';
    expect(wgslTokens(code).map(({ text }) => text)).toEqual(['a', 'b']);
  });

  it.each([
    ['0x1fu+1.5e-3f', ['0x1fu', '+', '1.5e-3f']],
    ['x1 .5', ['x1', '.5']],
    ['v.for_each', ['v', '.', 'for_each']],
    ['größe', ['größe']],
    ['fn\u200emain\u0085(', ['fn', 'main', '(']],
    ['a /* b', ['a', '/*']],
  ])('%s', (code, expected) => {
    expect(wgslTokens(code).map(({ text }) => text)).toEqual(expected);
  });

  it('contain the offset of every token', () => {
    const code = 'fn f() -> u32 { return 1u; } // end';
    for (const { text, offset } of wgslTokens(code)) expect(code.slice(offset, offset + text.length)).toBe(text);
  });
});

describe('functions of WGSL', () => {
  const functionNames = (code: string) =>
    wgslFunctions(code).functions.map(({ name, returns, isEntry, loops }) => ({
      name,
      returns,
      isEntry,
      loops: loops.map(({ keyword }) => keyword),
    }));

  it('are found with their return types and loops, including nested loops', () => {
    const code = `
      @group(0) @binding(0) var<storage, read> x: array<f32>;
      struct A { a: u32 }
      fn plain() { }
      fn sum(a: array<f32, 4>, b: vec2<u32>) -> vec4<f32> {
        for (var i = 0u; i < 4u; i++) { while a[i] > f(b[0]) { loop { break; } } }
        return vec4(0.0);
      }
      @compute @workgroup_size(64, select(1, 2, true))
      fn main(@builtin(local_invocation_index) lane: u32) { loop { continuing { break if lane > 1u; } } }`;
    expect(functionNames(code)).toEqual([
      { name: 'plain', returns: null, isEntry: false, loops: [] },
      { name: 'sum', returns: 'vec4<f32>', isEntry: false, loops: ['for', 'while', 'loop'] },
      { name: 'main', returns: null, isEntry: true, loops: ['loop'] },
    ]);
  });

  it('have a return type in one line, without comments', () => {
    expect(functionNames('fn f() -> vec2< // two\n f32 > // of them\n{ }')).toMatchObject([{ returns: 'vec2<f32>' }]);
  });

  it('are omitted if their braces do not close', () => {
    expect(functionNames('fn broken() { for (')).toEqual([]);
    expect(functionNames('const a = 1;')).toEqual([]);
    expect(functionNames('fn')).toEqual([]);
  });
});
