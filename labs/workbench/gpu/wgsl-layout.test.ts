// Strides of array elements in WGSL, including structs.

import { describe, expect, it } from 'vitest';
import { siteOf } from '../test/access-site.ts';
import { withAccessTrace } from './access-trace.ts';
import { wgslTokens } from './wgsl-functions.ts';
import { elementStrides } from './wgsl-layout.ts';

const TEXTS = [
  `alias Words = vec4<u32>;
   alias Again = Words;
   struct Pair { at: u32, value: f16 }
   struct Entry { where: vec3<f32>, weight: f32, pair: Pair, }`,
  `struct Padded { @size(16) first: u32, @align(32) second: Again }
   struct Colour { rgb: vec3f, }
   struct Rows { cells: array<u32, 4> }
   alias Own = Own;
   struct Self { inner: Self }
   struct Ping { pong: Pong } struct Pong { ping: Ping }
   struct Empty {}`,
];

const strideOf = elementStrides(TEXTS.map(wgslTokens));

describe('strides of array elements', () => {
  it.each([
    ['u32', 4],
    ['f16', 2],
    ['bool', 4],
    ['atomic<u32>', 4],
    ['vec2<f16>', 4],
    ['vec3<f16>', 8],
    ['vec4u', 16],
    ['vec3h', 8],
    ['mat2x4<f32>', 32],
    ['mat3x3f', 48],
    ['mat4x2<f16>', 16],
  ])('of %s are %s', (type, bytes) => {
    expect(strideOf(type)).toBe(bytes);
  });

  it.each([
    ['Words', 16],
    ['Again', 16],
    ['Pair', 8],
    // The weight fills what the vector leaves of its 16 bytes.
    ['Entry', 32],
    ['Padded', 64],
    ['Colour', 16],
  ])('of %s, which the text declares, are %s', (type, bytes) => {
    expect(strideOf(type)).toBe(bytes);
  });

  it.each([
    'Missing',
    'constructor',
    'atomic<toString>',
    'u',
    'vec5<f32>',
    'array<u32,4>',
    'Rows',
    'Own',
    'Self',
    'Ping',
    'Empty',
    '',
  ])('of %s are unknown', (type) => {
    expect(strideOf(type)).toBeNull();
  });

  it.each(['struct', 'alias', 'struct A {', 'struct A { a: ', 'alias A =', 'struct A { @size( a: u32'])(
    'are not known from %s, which does not compile',
    (text) => {
      expect(elementStrides([wgslTokens(text)])('A')).toBeNull();
    },
  );

  it('are computed in linear time for many declared types', () => {
    const members = (inner: string): string => Array.from({ length: 50 }, (_, i) => `m${i}: ${inner}`).join(', ');
    const structs = Array.from({ length: 12 }, (_, i) => `struct S${i} { ${members(i === 0 ? 'u32' : `S${i - 1}`)} }`);
    const endless = Array.from({ length: 50_000 }, (_, i) => `alias A${i} = A${i + 1};`);
    const strides = elementStrides([wgslTokens([...structs, ...endless, 'alias '.repeat(50_000), ';'].join('\n'))]);
    expect(strides('S3')).toBe(4 * 50 ** 4);
    expect(strides('A0')).toBeNull();
  });

  it('include every access to an array whose element type another file declares', () => {
    const files = [
      { path: 'types.wgsl', code: 'struct Entry { where: vec3<f32>, weight: f32 }' },
      {
        path: 'main.wgsl',
        code: '@group(0) @binding(0) var<storage> entries: array<Entry>; fn main() { let a = entries[2].weight; }',
      },
    ];
    const plan = { bytes: 0, buffers: [], passes: [{ files, bindings: ['entries'], workgroups: [1, 1, 1] }] };
    const traced = withAccessTrace(plan as never, { pass: 0, workgroup: 0, lanes: 1, max: 1 });
    expect(traced.read(new Uint32Array(10)).trace.sites).toEqual([
      siteOf('entries', { file: 'main.wgsl', elementBytes: 16 }),
    ]);
  });
});
