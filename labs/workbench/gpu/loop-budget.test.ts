// Loop budgets: counters inserted into a user's WGSL program, which stop endless loops.

import { describe, expect, it } from 'vitest';
import { withLoopBudget } from './loop-budget.ts';
import { wgslFunctions } from './wgsl-functions.ts';
import { everyKernelFile } from '../../../test/kernel-files.ts';

const OPTIONS = { maxIterations: 100, binding: 3, stopsLateWorkgroups: true, first: 0 };

const budgeted = (...codes: readonly string[]) =>
  withLoopBudget(
    codes.map((code, i) => ({ path: `${i}.wgsl`, code })),
    OPTIONS,
  );

describe('withLoopBudget', () => {
  it('does not change a program without loops', () => {
    const code = '@compute @workgroup_size(1) fn main() { }';
    expect(budgeted(code)).toEqual({ files: [{ path: '0.wgsl', code }], loops: [] });
  });

  it('counts the iterations of each loop in main, and breaks at the limit', () => {
    const { files, loops } = budgeted(`@compute @workgroup_size(1) fn main() {
      for (var i = 0; i < 4; i++) { }
      while (a[f(1)] > 2) /* { */ { }
      loop @diagnostic(off, x) { }
    }`);
    expect(loops.map(({ line }) => line)).toEqual([2, 3, 4]);
    const [, { code }] = files;
    expect(code).toContain(
      'main() { var sparsescope_0 = 0u; let sparsescope_iterations_0 = &sparsescope_0; var sparsescope_1',
    );
    for (const n of [0, 1, 2]) {
      expect(code).toContain(
        `{ if (*sparsescope_iterations_${n} >= 100u) { sparsescope_stop(${n}u); break; } *sparsescope_iterations_${n} += 1u;`,
      );
    }
  });

  it('passes counters as arguments to functions with loops, across files', () => {
    const { files, loops } = budgeted(
      'fn inner() -> f32 { loop { return 1.0; } }',
      'fn outer(a: u32) -> f32 { return inner() + f32(a); }\nfn other() { }',
      '@compute @workgroup_size(1) fn main() { other(); let a = outer(2u); }',
    );
    expect(loops).toEqual([{ file: '0.wgsl', line: 1 }]);
    const [, inner, outer, main] = files.map(({ code }) => code);
    expect(inner).toContain('fn inner(sparsescope_iterations_0: ptr<function, u32>) -> f32 {');
    expect(inner).toContain('} return f32(); }');
    expect(outer).toContain('fn outer(sparsescope_iterations_0: ptr<function, u32>, a: u32)');
    expect(outer).toContain('return inner(sparsescope_iterations_0) + f32(a)');
    expect(outer).toContain('fn other() { }');
    expect(main).toContain('other(); let a = outer(sparsescope_iterations_0, 2u);');
  });

  it('stops the lanes of late workgroups together if the program has barriers, and each lane alone otherwise', () => {
    const alone = budgeted('@compute @workgroup_size(1) fn main() { loop { break; } }').files[1].code;
    expect(alone).not.toContain('workgroupUniformLoad');
    const together = budgeted('@compute @workgroup_size(1) fn main() { loop { workgroupBarrier(); break; } }').files[1];
    expect(together.code).toContain('workgroupUniformLoad(&sparsescope_late)');
  });

  it('adds a check to each loop of every kernel, without adding lines', () => {
    const files = everyKernelFile();
    expect(files.length).toBeGreaterThan(50);
    let checked = 0;
    for (const file of files) {
      const foundLoops = wgslFunctions(file.code).functions.flatMap(({ loops }) => loops);
      const keywords = file.code.replace(/\/\/.*$/gm, '').match(/\b(?:for|while|loop)\b/g) ?? [];
      expect(foundLoops.length, file.path).toBe(keywords.length);
      const { files: changed } = withLoopBudget([file], OPTIONS);
      const last = changed.at(-1)?.code ?? '';
      expect(last.split('\n').length, file.path).toBe(file.code.split('\n').length);
      expect(last.match(/sparsescope_stop\(/g)?.length ?? 0, file.path).toBe(foundLoops.length);
      checked += foundLoops.length;
    }
    expect(checked).toBeGreaterThan(50);
  });
});
