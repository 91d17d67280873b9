import { expect, it } from 'vitest';
import { declaredArrays } from './array-accesses.ts';
import { wgslFunctions } from './wgsl-functions.ts';

it.each([
  ['u32', 4],
  ['atomic<u32>', 4],
  ['vec3<f16>', 8],
  ['mat2x4<f32>', 32],
  ['Entry', null],
  ['constructor', null],
  ['atomic<toString>', null],
])('an array of %s has elements of %s bytes', (type, bytes) => {
  const text = `@group(0) @binding(0) var<storage, read> cells: array<${type}>;`;
  expect(declaredArrays(wgslFunctions(text), ['cells'])).toMatchObject([{ name: 'cells', elementBytes: bytes }]);
});
