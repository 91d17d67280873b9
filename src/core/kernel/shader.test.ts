import { describe, expect, it } from 'vitest';
import { shaderFiles, type ShaderModule } from './shader.ts';

function shader(path: string, ...includes: readonly (readonly ShaderModule[])[]): ShaderModule {
  return { path, code: `// ${path}\n`, includes };
}
const paths = (kernel: ShaderModule, choices?: readonly ShaderModule[]): string[] =>
  shaderFiles(kernel, choices).map(({ path }) => path);

describe('shaderFiles', () => {
  const index = shader('index');
  const f16 = shader('f16');
  const f32 = shader('f32');
  const matrix = shader('matrix', [index], [f16, f32]);
  const kernel = shader('kernel', [matrix], [index]);

  it('lists every included file once, before the first that includes it', () => {
    expect(paths(kernel, [f32])).toEqual(['index', 'f32', 'matrix', 'kernel']);
    expect(shaderFiles(index)).toEqual([{ path: 'index', code: '// index\n' }]);
  });

  it('accepts a choice that is included anyway', () => {
    expect(paths(kernel, [f16, index])).toEqual(['index', 'f16', 'matrix', 'kernel']);
  });

  it('rejects a choice that is missing, or made twice', () => {
    expect(() => shaderFiles(kernel)).toThrow('matrix: found none among the pieces, expected one of f16, f32');
    expect(() => shaderFiles(kernel, [f16, f32])).toThrow(
      'matrix: found f16 and f32 among the pieces, expected one of',
    );
  });

  it('rejects a choice that no file includes', () => {
    expect(() => shaderFiles(index, [f16])).toThrow('index: found f16 among the pieces');
  });

  it('rejects a shader without a text, as on the page, which cannot plan kernels', () => {
    const onThePage: ShaderModule = { path: 'macko/spmv_staged.wgsl', code: null, includes: [] };
    expect(() => shaderFiles(onThePage)).toThrow('macko/spmv_staged.wgsl: found no text');
    expect(() => shaderFiles(kernel, [{ ...f16, code: null }, f32])).toThrow('kernel: found f16 among the pieces');
  });

  it('keeps the line numbers of a variant', () => {
    const variant: ShaderModule = { path: 'a.wgsl#f16', code: 'fn f() {}\n', includes: [], lines: [7] };
    expect(shaderFiles(variant)).toEqual([{ path: 'a.wgsl#f16', code: 'fn f() {}\n', lines: [7] }]);
  });

  it('rejects a file that includes itself', () => {
    const includes: ShaderModule[][] = [];
    const a: ShaderModule = { path: 'a', code: '', includes };
    includes.push([shader('b', [a])]);
    expect(() => shaderFiles(a)).toThrow('a: includes itself, through a, b');
  });
});
