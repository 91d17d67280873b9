import { describe, expect, it } from 'vitest';
import { declarations, usedNames } from './wgsl-names.ts';

/** A text with every kind of declaration and of use. */
const CODE = `
// x/kernel: struct Comment { a: u32 }
enable subgroups;
diagnostic(off, subgroup_uniformity);
// Lanes.
override WORKGROUP_SIZE: u32 = SIZE * 2u;
alias Sums = vec4<f32>;
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1)
var<storage, read> x: array<Eight>;
var<workgroup> sums: array<Sums, WORKGROUP_SIZE>;
struct Entry {
  value: f32, // of a cell
  @size(8) column: Index,
}
@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) id: vec3<u32>, at: ptr<function, Walk>) {
  var rows = params.rows;
  for (var i = 0u; i < LANES; i++) { let sum = load(i).low; sums[i] = sum * hidden; }
  switch (rows) { case KNOWN: { } default: { } }
}
fn second() -> u32 { return rows; }
`;

describe('declarations(code) and usedNames(code)', () => {
  it('declarations returns the names at module scope, in their order', () => {
    expect(declarations(CODE).map(({ name }) => name)).toEqual([
      'WORKGROUP_SIZE',
      'Sums',
      'params',
      'x',
      'sums',
      'Entry',
      'main',
      'second',
    ]);
  });

  it('usedNames omits members, attributes, and the parameters and local variables of a declaration', () => {
    const used = usedNames(CODE);
    const names = [
      'SIZE',
      'Params',
      'Eight',
      'Sums',
      'Index',
      'Walk',
      'params',
      'LANES',
      'load',
      'sums',
      'hidden',
      'KNOWN',
      'rows',
    ];
    for (const name of names) expect(used, name).toContain(name);
    for (const name of ['low', 'compute', 'Comment', 'value', 'column', 'id', 'at', 'i', 'sum'])
      expect(used).not.toContain(name);
  });

  it('declarations rejects text that is not a declaration', () => {
    expect(() => declarations('x = 1;')).toThrow("found 'x = 1;', expected a declaration");
  });
});
