import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../scripts/shader-modules.ts';
import { fileOf } from '../src/core/kernel/shader.ts';
import { formats } from '../src/formats/registry.ts';
import { kernelList, kernelText, parseKernelArguments } from './kernel-text.ts';

/** The output of `npm run kernel -- ...`. */
function printed(...argv: readonly string[]): string {
  const options = parseKernelArguments(argv);
  if (options === null) throw new Error('found no kernel');
  return kernelText(formats, options);
}

describe('npm run kernel', () => {
  it('lists every kernel once, with its operation and title', () => {
    expect(parseKernelArguments([])).toBeNull();
    const lines = kernelList(formats).split('\n');
    for (const { id, operation, title } of formats.flatMap(({ kernels }) => kernels)) {
      const matches = lines.filter((line) => line.split(/\s+/).includes(id));
      expect(matches).toHaveLength(1);
      expect(matches[0].trim().split(/\s{2,}/)).toEqual([operation, id, title]);
    }
    expect(lines.filter((line) => !line.startsWith(' ') && line !== '')).toEqual(formats.map(({ title }) => title));
  });

  it('prints bindings, overrides and the whole text of every file of a kernel', () => {
    const text = printed('macko/spmv_staged', '--params', 'deltaBits=2,valueType=i8', '--shape', '300x520');
    const lines = text.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines).toContain(
      "// binding 3 indptr array<u32> read-only-storage sparse 'indptr' First entry of row i; rows + 1 of them.",
    );
    expect(lines).toContain("// binding 0 params Params uniform params 'params' 300, 520");
    expect(lines).toContain('// override COLS u32 = 520 Columns that are copied, at least 1.');
    const marks = [...text.matchAll(/^\/\/ ---- (.+)$/gm)].map(([, path]) => path);
    for (const path of ['common/values.wgsl#i8', 'macko/deltas.wgsl#2', 'common/row_scale.wgsl#at_6']) {
      expect(marks).toContain(path);
    }
    expect(marks.at(-1)).toBe('macko/spmv_staged.wgsl');
    expect(marks.length).toBeLessThanOrEqual(8);
    for (const path of marks) {
      const file = fileOf(path);
      const modules = modulesOf(file, readFileSync(new URL(`../shaders/${file}`, import.meta.url), 'utf8'));
      const source = modules.find((module) => module.path === path)?.code;
      expect(text).toContain(source?.replaceAll(/^(?:enable|diagnostic)\b.*$/gm, ''));
    }
  });

  it('prints every pass, and the sizes of the operation', () => {
    const text = printed('dense/gemm_i8', '--sizes', 'tokens=3');
    expect(text).toContain('Operation: gemm-i8 with tokens 3. Matrix: 1024 × 1024, dense with valueType i8.');
    expect(text.match(/^\/\/ ==== pass \d of 2: \S+\.wgsl/gm)).toEqual([
      '// ==== pass 1 of 2: common/quantise.wgsl',
      '// ==== pass 2 of 2: dense/gemm_i8.wgsl',
    ]);
  });

  it('prints every kernel', () => {
    for (const { id } of formats.flatMap(({ kernels }) => kernels)) {
      expect(printed(id, '--shape', '64x128'), id).toContain('fn main(');
    }
  });

  it('uses the subgroup size of the option --subgroup', () => {
    expect(printed('macko/spmv_subgroup', '--subgroup', '64')).toMatch(/override +MAX_SUBGROUP_SIZE +u32 += 64 /);
  });

  it.each([
    [['macko/spmv'], "found 'macko/spmv', expected the id of a kernel; without one, npm run kernel lists them"],
    [
      ['csr/spmv_scalar', '--params', 'deltaBits=2'],
      '--params: found deltaBits, expected a parameter of csr: valueType,',
    ],
    [['macko/spmv_staged', '--params', 'deltaBits=3'], '--params: found deltaBits=3, expected one of 1, 2, 4, 8'],
    [['dense/gemm_i8', '--params', 'valueType=f32'], '--params: dense/gemm_i8 is for valueType i8, found "f32"'],
    [
      ['ec-csr/spmv_subgroup', '--params', 'clipColumns=1.5'],
      '--params: found clipColumns=1.5, expected a whole number',
    ],
    [['macko/spmv_staged', '--params', 'deltaBits'], "--params: found 'deltaBits', expected NAME=VALUE"],
    [['macko/spmv_staged', '--params'], '--params: found no value after it, expected one'],
    [['macko/spmv_staged', '--shape', '0x4'], "--shape: found '0x4', expected ROWSxCOLUMNS such as 1024x1024"],
    [['macko/spmv_staged', '--shape', '4x20000'], 'macko/spmv_staged: a workgroup needs 80000 bytes of memory'],
    [['macko/spmv_staged', '--subgroup', '5'], "--subgroup: found '5', expected 4, 8, 16, 32, 64 or 128"],
    [['dense/gemm', '--sizes', 'tokens=0'], '--sizes: '],
    [
      ['macko/spmv_staged', 'deltaBits=2'],
      "found 'deltaBits=2' beside 'macko/spmv_staged', expected one id and options",
    ],
  ])('rejects %j in one message', (argv, message) => {
    expect(() => printed(...argv)).toThrow(message);
  });
});
