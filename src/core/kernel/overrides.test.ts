import { describe, expect, it } from 'vitest';
import { declaredOverrides, overrideValues, rowsPerWorkgroup } from './overrides.ts';

/** WGSL with override constants of every kind. */
const TEXT = `// About it.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Lanes of a subgroup,
// as the device has them.
override MAX_SUBGROUP_SIZE: u32;
override ROWS_PER_WORKGROUP: u32 = 2u * (WORKGROUP_SIZE / MAX_SUBGROUP_SIZE) + 1;
override SCALE: f32 = 1.0 / 4;
override FLAG = true;
override ODD: u32 = countOneBits(5u);
`;

it('declaredOverrides(code) returns name, type, initial value and the comment above', () => {
  expect(declaredOverrides(TEXT).slice(0, 2)).toEqual([
    { name: 'WORKGROUP_SIZE', type: 'u32', initial: '64u', meaning: 'Lanes per workgroup.' },
    { name: 'MAX_SUBGROUP_SIZE', type: 'u32', initial: '', meaning: 'Lanes of a subgroup, as the device has them.' },
  ]);
});

describe('overrideValues(code, given)', () => {
  it('evaluates expressions of given values, integers like WGSL, and omits what it cannot evaluate', () => {
    const values = overrideValues(TEXT, { MAX_SUBGROUP_SIZE: 24 });
    expect(Object.fromEntries(values)).toEqual({
      WORKGROUP_SIZE: 64,
      MAX_SUBGROUP_SIZE: 24,
      ROWS_PER_WORKGROUP: 5,
      SCALE: 0.25,
      FLAG: 1,
    });
    expect(overrideValues(TEXT, { WORKGROUP_SIZE: 128 }).has('ROWS_PER_WORKGROUP')).toBe(false);
  });

  it('overrideValues has no value for a malformed expression', () => {
    for (const wrong of ['(1', '1 +', '2 2', '1 $ 2', '1 / 0'])
      expect(overrideValues(`override A: u32 = ${wrong};`, {}).size).toBe(0);
  });
});

it('rowsPerWorkgroup(path, code, given) reads the value from the text, or throws an error', () => {
  expect(rowsPerWorkgroup('a', TEXT, { MAX_SUBGROUP_SIZE: 32 })).toBe(5);
  expect(() => rowsPerWorkgroup('a', '', {})).toThrow('a: found no override ROWS_PER_WORKGROUP, expected');
  const zero = 'override ROWS_PER_WORKGROUP: u32 = 1u / 2u;';
  expect(() => rowsPerWorkgroup('a', zero, {})).toThrow("a, ROWS_PER_WORKGROUP: found '0', expected a whole number");
  const unsupported = 'override ROWS_PER_WORKGROUP: u32 = f(1);';
  expect(() => rowsPerWorkgroup('a', unsupported, {})).toThrow("found 'f(1)'");
});

it('a very long declaration is read in linear time, and deeply nested parentheses do not overflow the stack', () => {
  const blank = ' '.repeat(2 ** 16);
  expect(declaredOverrides(`override A: u32 = ${blank}`)).toEqual([]);
  expect(declaredOverrides(`override A: u32 =${blank}3${blank};`)[0].initial).toBe('3');
  for (const sign of ['(', '-']) expect(overrideValues(`override A: u32 = ${sign.repeat(2 ** 16)}1;`, {}).size).toBe(0);
  expect(overrideValues('override A: u32 = -(-(2));', {}).get('A')).toBe(2);
});
