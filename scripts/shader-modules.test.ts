import { describe, expect, it } from 'vitest';
import { includesOf, moduleOf } from './shader-modules.ts';

describe('includesOf', () => {
  it('reads files, choices and names, in the order of the lines', () => {
    const code = [
      '// x/kernel: what it is.',
      '',
      '// include common/index.wgsl: index_of',
      '// include x/a.wgsl or x/b.wgsl: Eight,',
      '//   load_values,',
      '//   value_at',
      '// included above is everything',
      'fn main() {}',
    ].join('\n');
    expect(includesOf('x/kernel.wgsl', code)).toEqual([
      { paths: ['common/index.wgsl'], names: ['index_of'] },
      { paths: ['x/a.wgsl', 'x/b.wgsl'], names: ['Eight', 'load_values', 'value_at'] },
    ]);
  });

  it.each(['common/index.wgsl', 'common/index.wgsl:', 'common/index: f', 'x/a.wgsl, x/b.wgsl: f', 'x/a.wgsl: f g'])(
    'refuses "%s", with the file and the line',
    (line) => {
      expect(() => includesOf('x/k.wgsl', `\n// include ${line}\n`)).toThrow(`x/k.wgsl:2: found '${line}', expected`);
    },
  );
});

describe('the module of a shader', () => {
  const text = '// include common/index.wgsl: f\n// include x/a.wgsl or x/b.wgsl: g\n// include x/b.wgsl: h\n';

  it('imports every included file once, and offers those of a line together', () => {
    expect(moduleOf('x/kernel.wgsl', text).split('\n')).toEqual([
      'import m0 from "../common/index.wgsl";',
      'import m1 from "./a.wgsl";',
      'import m2 from "./b.wgsl";',
      `export default { path: "x/kernel.wgsl", code: ${JSON.stringify(text)}, includes: [[m0], [m1, m2], [m2]] };`,
    ]);
  });

  it('has neither text nor includes on the page', () => {
    expect(moduleOf('x/kernel.wgsl', null)).toBe('export default { path: "x/kernel.wgsl", code: null, includes: [] };');
  });
});
