import { describe, expect, it } from 'vitest';
import { fixOf, placeOfMessage } from './fixes.ts';

describe('fixOf(message, text)', () => {
  it('hands over the address where a pointer is expected', () => {
    const fix = fixOf(
      "type mismatch for argument 3 in call to 'inner_steps', expected 'ptr<function, u32, read_write>', got 'u32'",
      'walked',
    );
    expect(fix?.title).toBe('write &walked');
    expect(fix?.change('walked')).toBe('&walked');
  });

  it('takes the name that the compiler means', () => {
    expect(fixOf("unresolved value 'valeus'. Did you mean 'values'?", 'valeus')?.change('valeus')).toBe('values');
  });

  it('offers nothing that is not certain', () => {
    expect(fixOf("expected 'ptr<function, u32, read_write>', got 'f32'", 'walked')).toBeNull();
    expect(fixOf("expected 'ptr<function, u32, read_write>', got 'u32'", 'walked + 1')).toBeNull();
    expect(fixOf("cannot assign 'f32' to 'u32'", 'sum')).toBeNull();
  });
});

describe('placeOfMessage(lines, place)', () => {
  const lines = ['fn main() {', '  sum += walked;', '}'];

  it('covers the whole name of which the compiler names the first letter', () => {
    expect(placeOfMessage(lines, { line: 2, column: 10, length: 0 })).toEqual({ line: 2, from: 9, to: 15 });
  });

  it('covers the line where no column is known, and stays within the text', () => {
    expect(placeOfMessage(lines, { line: 2, column: 0, length: 0 })).toEqual({ line: 2, from: 2, to: 16 });
    expect(placeOfMessage(lines, { line: 9, column: 1, length: 99 })).toEqual({ line: 3, from: 0, to: 1 });
  });
});
