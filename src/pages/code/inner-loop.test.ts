import { describe, expect, it } from 'vitest';
import { testEngine } from '../../../test/engine.ts';
import { formats } from '../../formats/registry.ts';
import { linesToLoop, innerLoop } from './inner-loop.ts';

const file = (path: string, ...lines: string[]): { readonly path: string; readonly code: string } => ({
  path,
  code: lines.join('\n'),
});

describe('the inner loop of a kernel', () => {
  it('is the innermost loop that multiplies and adds', () => {
    const kernelFile = file(
      'own.wgsl',
      'fn main() {',
      '  for (var i = 0u; i < 4u; i++) { staged[i] = x[i]; }',
      '  for (var row = 0u; row < rows; row++) {',
      '    while (entry < end) { // { in a comment',
      '      sum += value_at(entry) * x[index_at(entry)];',
      '    }',
      '    for (var lane = 1u; lane < lanes; lane++) {',
      '      sum += sums[lane];',
      '    }',
      '  }',
      '}',
    );
    expect(innerLoop([kernelFile])).toEqual({ path: 'own.wgsl', first: 4, last: 6 });
  });

  it('may be in another file of the kernel, but not in a file that formats share', () => {
    const kernelFile = file('a/own.wgsl', 'fn main() {', '  row_sum();', '}');
    const other = file('a/row.wgsl', 'fn row_sum() {', '  for (;;) {', '    sum += dot(a, b);', '  }', '}');
    expect(innerLoop([kernelFile, other])).toEqual({ path: 'a/row.wgsl', first: 2, last: 4 });
    expect(innerLoop([kernelFile, { ...other, path: 'common/row.wgsl' }])).toBeNull();
  });

  it('is the quoted line if a loop calls a function that multiplies, and any loop if nothing is quoted', () => {
    const kernelFile = file('a/own.wgsl', 'fn main() {', '  for (;;) {', '    sum += lane_sum(i);', '  }', '}');
    const quoted = file('a/rows.wgsl', 'fn lane_sum() {', '  // step: gather', '  return a * b;', '}');
    expect(innerLoop([kernelFile, quoted])).toEqual({ path: 'a/rows.wgsl', first: 3, last: 3 });
    expect([innerLoop([kernelFile]), innerLoop([])]).toEqual([{ path: 'a/own.wgsl', first: 2, last: 4 }, null]);
  });

  it('is found in the first kernel of every format, where its products are added', async () => {
    const engine = testEngine();
    await engine.matrix.open(
      {},
      { kind: 'generated', spec: { pattern: 'n-of-m', rows: 96, cols: 64, density: 0.5, seed: 1 } },
    );
    const loopLines: Record<string, string> = {};
    for (const { kernels } of formats) {
      const [{ id }] = kernels;
      const { passes } = await engine.kernels.read({}, { kernel: id, params: {} });
      const files = passes[0].files.toReversed();
      const loop = innerLoop(files);
      const lines = files.find(({ path }) => path === loop?.path)?.code.split('\n') ?? [];
      loopLines[id] = loop ? `${loop.path}: ${lines[loop.first - 1].trim()}` : 'none';
    }
    expect(loopLines).toMatchObject({
      'dense/spmv_subgroup': 'dense/row_pair.wgsl: for (var step = 0u; step < FULL_STEPS; step++) {',
      'macko/spmv_staged':
        'macko/row_by_subgroup.wgsl#walk: for (; first + 4u * lanes <= end / 8u; first += 4u * lanes) {',
      'twell/spmv_subgroup': 'twell/packed_row.wgsl: for (var at = lane; at < per_row; at += lanes) {',
    });
    expect(Object.values(loopLines)).not.toContain('none');
  });
});

describe('the function around a loop', () => {
  const filler = Array.from({ length: 90 }, (_, i) => `const c${i} = ${i};`);
  const code = [
    ...filler,
    '// Adds up a row.',
    '@must_use',
    'fn sum() -> f32 {',
    '  for (;;) {',
    '  }',
    '  return 0;',
    '}',
    'fn main() {',
    '}',
  ].join('\n');

  it('is shown with the comment and the attributes above it, up to the end of the loop', () => {
    expect(linesToLoop(code, { path: '', first: 94, last: 95 })).toEqual([91, 95]);
  });

  it('is omitted in a short file', () => {
    expect(linesToLoop(code.slice(code.indexOf('// Adds')), { path: '', first: 4, last: 5 })).toBeNull();
  });
});
