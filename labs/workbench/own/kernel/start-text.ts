// The WGSL with which a user begins a kernel for a custom format.

import { oneLine, type DeclaredInputs } from '../../../../src/core/declared/accessors.ts';

/** The overrides that both start texts declare: `startText` here, and `starterWgsl` in starter-wgsl.ts. */
export const ROW_OVERRIDES = `// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Rows that a workgroup is responsible for: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = 64u;
`;

/** The beginning of `main` in both start texts, where each lane computes one row of y: as far as `row` and `sum`. */
export const ROW_OF_LANE = `@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let row = workgroup * ROWS_PER_WORKGROUP + lane;
  if (lane >= ROWS_PER_WORKGROUP || row >= params.rows) {
    return;
  }
  var sum = 0.0;
`;

/**
 * The WGSL with which the user begins a kernel for a custom format. It compiles, lists the arrays and constants, and
 * returns y = 0 until the user writes a loop: only the author knows how the format's `decode` reads the arrays.
 */
export function startText(title: string, { arrays, params }: DeclaredInputs): string {
  const readers = arrays.map(
    ({ array: { type, byteClass }, reader, lengthField }) =>
      `//   ${reader}(i): ${type.kind === 'float' ? 'f32' : type.kind === 'signed' ? 'i32' : 'u32'}, of ${byteClass}; there are params.${lengthField}`,
  );
  const constants = params.map(({ name }) => name);
  return `// y = A x on the arrays of ${oneLine(title)}: nothing computes yet.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.
//
// What there is:
${readers.join('\n')}
//   x[column] and y[row], params.rows, params.cols and params.nnz${constants.length === 0 ? '' : `,\n//   and as constants the parameters ${constants.join(', ')}`}.

${ROW_OVERRIDES}
${ROW_OF_LANE}  // Your loop: what decode puts in this row, times its element of x, as in
  //   for (var i = starts_at(row); i < starts_at(row + 1u); i++) {
  //     sum = fma(values_at(i), x[columns_at(i)], sum);
  //   }
  // A value that only fills must not be multiplied, for an infinite x would make it NaN: if (!(value == 0.0)) { ... }
  y[row] = sum;
}
`;
}
