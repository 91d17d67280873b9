// Messages about drafts (changed kernels) from a link or a file that cannot be opened.

import { expect, it } from 'vitest';
import { formats } from '../../../../src/formats/catalog.ts';
import { draftProblem } from './draft-problem.ts';

const problem = (params: Readonly<Record<string, unknown>>, kernel = 'csr/spmv_scalar'): string | null =>
  draftProblem({ kernel, params }, formats);

it('a draft with an unknown parameter, or an unknown value of a parameter, is rejected', () => {
  expect([problem({}), problem({ valueType: 'f32' })]).toEqual([null, null]);
  expect(problem({ valueType: 'f99' })).toMatch(/^The draft's parameter valueType: found "f99", expected /);
  expect(problem({ ['x\u202e'.repeat(100)]: 1 })).toMatch(
    /^The draft's parameters: found 'x\ufffd.*\.\.\.', expected one of /,
  );
  expect(problem({ ['__proto__']: 1 })).toMatch(/^The draft's parameters: found '__proto__', expected one of /);
});

it('a draft of a kernel that does not exist is rejected', () => {
  expect(problem({}, 'y'.repeat(1000))).toBe(`The draft is of the kernel '${'y'.repeat(60)}...', which does not exist`);
});
