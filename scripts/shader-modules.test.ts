import { describe, expect, it } from 'vitest';
import { includesOf, moduleOf, modulesOf } from './shader-modules.ts';

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

  it('reads variants of files', () => {
    const code = '// include x/a.wgsl#f16 or #f32 or x/b.wgsl or x/c.wgsl#8: Eight\n';
    expect(includesOf('x/kernel.wgsl', code)).toEqual([
      { paths: ['x/a.wgsl#f16', 'x/a.wgsl#f32', 'x/b.wgsl', 'x/c.wgsl#8'], names: ['Eight'] },
    ]);
  });

  it.each([
    'common/index.wgsl',
    'common/index.wgsl:',
    'common/index: f',
    'x/a.wgsl, x/b.wgsl: f',
    'x/a.wgsl: f g',
    '#f16 or x/a.wgsl: f',
    'x/a.wgsl#: f',
  ])('rejects "%s", with the file and the line', (line) => {
    expect(() => includesOf('x/k.wgsl', `\n// include ${line}\n`)).toThrow(`x/k.wgsl:2: found '${line}', expected`);
  });
});

describe('modulesOf', () => {
  const lines = [
    '// x/a: what it is.',
    'fn shared() {}',
    '// variant 1 or 2: few bits.',
    'fn few() {}',
    '',
    '// variant 1: one bit.',
    'fn one() {}',
    '// variant 8: a byte.',
    'fn eight() {}',
  ];

  it('returns a file without variants unchanged', () => {
    const code = 'fn a() {}\nfn b() {}\n';
    expect(modulesOf('x/a.wgsl', code)).toEqual([{ path: 'x/a.wgsl', code, lines: [1, 2] }]);
  });

  it('returns for each variant the shared and the separate lines, with their numbers', () => {
    const pick = (numbers: readonly number[]): string => `${numbers.map((n) => lines[n - 1]).join('\n')}\n`;
    expect(modulesOf('x/a.wgsl', `${lines.join('\n')}\n`)).toEqual([
      { path: 'x/a.wgsl#1', code: pick([1, 2, 3, 4, 5, 6, 7]), lines: [1, 2, 3, 4, 5, 6, 7] },
      { path: 'x/a.wgsl#2', code: pick([1, 2, 3, 4]), lines: [1, 2, 3, 4, 5] },
      { path: 'x/a.wgsl#8', code: pick([1, 2, 8, 9]), lines: [1, 2, 8, 9] },
    ]);
  });

  it.each(['f16', 'f16 f32: two', 'f16 or: two', 'f16:'])('rejects "%s", with the file and the line', (line) => {
    expect(() => modulesOf('x/a.wgsl', `// x/a: what it is.\n// variant ${line}\n`)).toThrow(
      `x/a.wgsl:2: found '${line}', expected 'name: what it is' after '// variant'`,
    );
  });
});

describe('the module of a shader', () => {
  const text = '// include common/index.wgsl: f\n// include x/a.wgsl or x/b.wgsl: g\n// include x/b.wgsl: h\n';
  const variants = '// x/values: v.\n// variant f16: two.\n// include x/a.wgsl#1 or #2: f\n// variant f32: one.\n';

  it('imports every included file once, and offers those of a line together', () => {
    expect(moduleOf('x/kernel.wgsl', text, 'texts').split('\n')).toEqual([
      'import m0 from "../common/index.wgsl";',
      'import m1 from "./a.wgsl";',
      'import m2 from "./b.wgsl";',
      `export default { path: "x/kernel.wgsl", code: ${JSON.stringify(text)}, includes: [[m0], [m1, m2], [m2]], variants: {} };`,
    ]);
  });

  it('contains the variants of a file by name', () => {
    const [first, second] = modulesOf('x/values.wgsl', variants).map(({ code }) => JSON.stringify(code));
    expect(moduleOf('x/values.wgsl', variants, 'texts').split('\n')).toEqual([
      'import m0 from "./a.wgsl";',
      'export default { path: "x/values.wgsl", code: null, includes: [], variants: {' +
        ` "f16": { path: "x/values.wgsl#f16", code: ${first}, includes: [[m0.variants["1"], m0.variants["2"]]], lines: [1,2,3] },` +
        ` "f32": { path: "x/values.wgsl#f32", code: ${second}, includes: [], lines: [1,4] } } };`,
    ]);
  });

  it('has neither text nor includes on the page', () => {
    expect(moduleOf('x/kernel.wgsl', text, 'paths')).toBe(
      'export default { path: "x/kernel.wgsl", code: null, includes: [], variants: {} };',
    );
    expect(moduleOf('x/values.wgsl', variants, 'paths')).toBe(
      'export default { path: "x/values.wgsl", code: null, includes: [], variants: {' +
        ' "f16": { path: "x/values.wgsl#f16", code: null, includes: [] },' +
        ' "f32": { path: "x/values.wgsl#f32", code: null, includes: [] } } };',
    );
  });
});
