import { describe, expect, test } from 'vitest';
import { compileErrors, composeShader } from './compose.ts';
import { declaredBindings } from './declared-bindings.ts';

const A = { path: 'common/a.wgsl', code: '// a\nenable subgroups;\nfn a() -> u32 { return 1u; }\n' };
const B = {
  path: 'x/b.wgsl',
  code: '// b\nenable subgroups;\ndiagnostic(off, subgroup_uniformity); // fine here\nrequires subgroup_id;\nfn b() {}\n',
};

describe('composeShader', () => {
  test('puts every directive first, once, and a line before each file', () => {
    expect(composeShader([A, B]).code.split('\n')).toEqual([
      'enable subgroups;',
      'diagnostic(off, subgroup_uniformity);',
      'requires subgroup_id;',
      '// ---- common/a.wgsl',
      '// a',
      '',
      'fn a() -> u32 { return 1u; }',
      '',
      '// ---- x/b.wgsl',
      '// b',
      '',
      '',
      '',
      'fn b() {}',
      '',
    ]);
  });

  test('knows the file and line of every line', () => {
    const shader = composeShader([A, B]);
    const lines = shader.code.split('\n');
    expect(shader.positionOf(lines.indexOf('fn b() {}') + 1)).toEqual({ path: 'x/b.wgsl', line: 5 });
    expect(shader.positionOf(lines.indexOf('fn a() -> u32 { return 1u; }') + 1)).toEqual({
      path: 'common/a.wgsl',
      line: 3,
    });
    expect(shader.positionOf(1)).toEqual({ path: 'common/a.wgsl', line: 2 });
    expect(shader.positionOf(2)).toEqual({ path: 'x/b.wgsl', line: 3 });
    expect(shader.positionOf(4)).toBeNull();
    expect(shader.positionOf(lines.length + 1)).toBeNull();
  });

  test('knows the line of a variant in its file', () => {
    const shader = composeShader([{ path: 'x/c.wgsl#f32', code: '// c\nfn c() {}\n', lines: [1, 40] }]);
    expect(shader.positionOf(3)).toEqual({ path: 'x/c.wgsl#f32', line: 40 });
  });

  test('leaves diagnostic attributes and words in comments where they are', () => {
    const code = '// enable what you need;\n@diagnostic(off, derivative_uniformity)\nfn f() {}';
    expect(composeShader([{ path: 'f.wgsl', code }]).code).toBe(`// ---- f.wgsl\n${code}`);
  });

  test('accepts files with CRLF line ends', () => {
    const shader = composeShader([{ path: 'f.wgsl', code: 'enable f16;\r\nfn f() {}' }]);
    expect(shader.code).toBe('enable f16;\n// ---- f.wgsl\n\nfn f() {}');
    expect(shader.positionOf(4)).toEqual({ path: 'f.wgsl', line: 2 });
  });
});

test('compileErrors lists errors with file and line and leaves warnings out', () => {
  const shader = composeShader([A, B]);
  const messageAt = (lineNum: number, type: string, message: string) => ({ type, message, lineNum, linePos: 1 });
  const line = shader.code.split('\n').indexOf('fn b() {}') + 1;
  expect(
    compileErrors(shader, [
      messageAt(line, 'warning', 'unused'),
      messageAt(line, 'error', 'no'),
      messageAt(0, 'error', 'odd'),
    ]),
  ).toBe('x/b.wgsl:5: no\nodd');
  expect(compileErrors(shader, [])).toBe('');
});

test('declaredBindings reads address space and access, in either order of the attributes', () => {
  const code = `@group(0) @binding(0) var<uniform> params: Params;
@binding(1) @group(0) var<storage, read> data: array<u32>;
@group(0) @binding( 2 )
var<storage> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
// @group(0) @binding(4) var<storage, read> gone: array<f32>;
/* @group(0) @binding(5) var<uniform> gone: u32; */`;
  expect([...declaredBindings(code)]).toEqual([
    [0, 'uniform'],
    [1, 'read-only-storage'],
    [2, 'read-only-storage'],
    [3, 'storage'],
  ]);
});
