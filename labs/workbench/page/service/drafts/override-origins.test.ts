// Where the values of a kernel's override constants come from.

import { expect, it } from 'vitest';
import { defaultParams } from '../../../../../src/core/format.ts';
import { formats } from '../../../../../src/formats/registry.ts';
import { exampleDevice } from '../../../../../src/gpu/index.ts';
import { kernelOf } from '../../../../../src/engine/bench/kernel-of.ts';
import { overrideOrigins } from './override-origins.ts';

it.each([
  ['csr/spmv_scalar', { WORKGROUP_SIZE: 'free' }],
  [
    'macko/spmv_staged',
    { WORKGROUP_SIZE: 'free', COLS: 'matrix', MAX_SUBGROUP_SIZE: 'device', SHARES: 'derived', TURNS: 'derived' },
  ],
  ['bsr/spmv_subgroup', { BLOCK: 'parameters' }],
  ['ec-csr/spmv_subgroup', { SETS: 'matrix', GRANULARITIES: 'matrix' }],
])('overrideOrigins returns what sets each constant of %s', (kernel, expected) => {
  const { format, spec } = kernelOf({ formats }, kernel);
  const origins = overrideOrigins(format, spec, { ...defaultParams<object>(format.params) }, exampleDevice(), {});
  expect(Object.fromEntries(origins)).toMatchObject(expected);
});
