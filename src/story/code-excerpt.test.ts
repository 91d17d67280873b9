import { describe, expect, it } from 'vitest';
import { excerpt, excerptsOf } from './code-excerpt.ts';

const SOURCE = ['function f() {', '  // step: one', '  a();', '  // step: two', '  b();', '}'].join('\n');

describe('excerpt', () => {
  it('shows the marked line between its neighbours, without markers', () => {
    const shown = excerpt('f.ts', SOURCE, 'one');
    expect(shown).toMatchObject({
      file: 'f.ts',
      lines: ['function f() {', '  a();', '  b();'],
      current: 1,
      currentLine: 3,
    });
    expect(excerpt('f.ts', SOURCE, 'two').lines).toEqual(['  a();', '  b();', '}']);
  });

  it('names the marker that it did not find', () => {
    expect(() => excerpt('f.ts', SOURCE, 'three')).toThrow("f.ts: found no line after the comment '// step: three'");
  });
});

it('excerptsOf finds a marker in the requested file, and makes its excerpt once', () => {
  const code = excerptsOf({ 'f.ts': SOURCE, 'g.ts': '// step: one\nc();' });
  expect(code('f.ts', 'one')).toEqual(excerpt('f.ts', SOURCE, 'one'));
  expect(code('g.ts', 'one').lines).toEqual(['c();']);
  expect(code('f.ts', 'one')).toBe(code('f.ts', 'one'));
  expect(() => code('g.ts', 'two')).toThrow("g.ts: found no line after the comment '// step: two'");
});
