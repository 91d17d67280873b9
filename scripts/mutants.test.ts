import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseCases, kernelCase } from './mutants/choose-cases.ts';
import { mutantsOf } from './mutants/wgsl-mutants.ts';
import { ROOT } from './packages.mjs';

describe('mutants of WGSL', () => {
  const mutantLines = (line: string): readonly string[] =>
    mutantsOf(`fn f() {\n${line}\n}\n`).map(({ text }) => text.split('\n')[1].trim());

  it('mutants swap operators, and change whole numbers by one', () => {
    expect(mutantLines('  let a = b + c;')).toEqual(['let a = b - c;']);
    expect(mutantLines('  if (a < 8u && b >= c) {')).toEqual([
      'if (a <= 8u && b >= c) {',
      'if (a < 8u || b >= c) {',
      'if (a < 8u && b > c) {',
      'if (a < 9u && b >= c) {',
      'if (a < 7u && b >= c) {',
    ]);
    expect(mutantLines('  var i = 0u;')).toEqual(['var i = 1u;']);
  });

  it('mutants drop barriers and statements', () => {
    expect(mutantLines('  workgroupBarrier();')).toEqual(['']);
    expect(mutantLines('  y[row] = sum; // step: sum')).toEqual(['// step: sum']);
  });

  it('mutants leave types, names, fractions, comments and bindings unchanged', () => {
    const lines = [
      '  let v = vec4<f32>(x, y2);',
      '  let h = 0.5;',
      '  // 8 lanes + 1',
      '@group(0) @binding(3) var<uniform> p: P;',
    ];
    for (const line of [...lines, 'override SIZE: u32 = 64u;', '  return;'])
      expect(mutantLines(line), line).toEqual([]);
  });
});

describe('cases of kernels', () => {
  const timedCase = (law: 'agrees' | 'notFinite', title: string, ms: number) => ({ kernel: 'a/b', law, title, ms });
  const cases = [
    timedCase('agrees', '1 × 1, valueType f16', 10),
    timedCase('agrees', '7 × 96, valueType f16', 20),
    timedCase('agrees', '7 × 96, valueType f32', 30),
    timedCase('agrees', '70001 × 3, valueType f16', 5000),
    timedCase('notFinite', '1 × 1, valueType f16', 1),
    timedCase('notFinite', '7 × 96, valueType f32', 1),
  ];

  it('the chosen cases together detect every mutant that any case detects', () => {
    const chosen = chooseCases(cases, [[cases[2], cases[3]], [cases[3]], [cases[5]]]);
    expect(chosen.agrees[0]).toBe('70001 × 3, valueType f16');
    expect(chosen.agrees).toHaveLength(2);
    expect(chosen.notFinite).toEqual(['7 × 96, valueType f32']);
    expect(chooseCases(cases, []).agrees[0]).toBe('1 × 1, valueType f16');
  });

  it('kernelCase reads a case from the names of the tests of law 6', () => {
    const names = ['a', 'agrees with the oracle, as closely as it is pinned to', 'a/b: 1 × 1, valueType f16'];
    expect(kernelCase(names, 10)).toEqual(cases[0]);
    expect(kernelCase(['a', 'has kernels, each with its own name'], 10)).toBeNull();
  });
});

it('npm run mutants starts as the program that it is built to, and reads its command line', () => {
  const args = [join(ROOT, 'scripts/run.mjs'), 'scripts/mutants.ts', 'src/none.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^mutants: found 'src\/none\.ts', expected sources, shaders or kernels such as \w+\/\w+/);
});
