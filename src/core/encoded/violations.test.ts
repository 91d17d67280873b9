import { describe, expect, it } from 'vitest';
import { MAX_VIOLATIONS, Violations } from './violations.ts';

function messages(check: (v: Violations) => void): string[] {
  const v = new Violations();
  check(v);
  return v.found.map((violation) => violation.message);
}

describe('Violations', () => {
  it('states what was found, what was expected, and why', () => {
    expect(messages((v) => v.expect('data', null, 'length of data', 3, 4, 'nnz'))).toEqual([
      'length of data: found 3, expected nnz = 4',
    ]);
    expect(messages((v) => v.expect('data', null, 'length of data', 4, 4))).toEqual([]);
  });

  it('checks that offsets begin at 0, never descend and end at the total', () => {
    expect(messages((v) => v.offsets('indptr', Uint32Array.of(0, 2, 2, 5), 5, 'nnz'))).toEqual([]);
    expect(messages((v) => v.offsets('indptr', Uint32Array.of(1, 3, 2, 4), 5, 'nnz'))).toEqual([
      'indptr[0]: found 1, expected 0',
      'indptr[2]: found 2, expected at least indptr[1] = 3',
      'indptr[3]: found 4, expected nnz = 5',
    ]);
  });

  it('checks that columns ascend and are inside the matrix, at any step between their elements', () => {
    const row = { row: 4, start: 1, count: 3, step: 2 };
    const elements = Uint16Array.of(9, 0, 9, 3, 9, 7);
    expect(messages((v) => v.columns('indices', elements, row, 8))).toEqual([]);
    expect(messages((v) => v.columns('indices', elements, row, 7))).toEqual([
      'indices[5] in row 4: found column 7, expected below 7',
    ]);
    expect(messages((v) => v.columns('indices', Uint16Array.of(9, 3, 9, 3, 9, 1), row, 8))).toEqual([
      'indices[3] in row 4: found column 3 after 3, expected ascending columns',
      'indices[5] in row 4: found column 1 after 3, expected ascending columns',
    ]);
  });

  it('stops after MAX_VIOLATIONS', () => {
    const row = { row: 0, start: 0, count: 1000, step: 1 };
    expect(messages((v) => v.columns('indices', new Uint32Array(1000), row, 1)).length).toBe(MAX_VIOLATIONS);
  });
});
