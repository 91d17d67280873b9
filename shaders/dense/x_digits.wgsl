// dense/x_digits: writes x in block floating point: 31-bit mantissas in four int8 limbs (digits), one exponent per 32 columns.
// Source: block floating point; sums of products byte by byte as in long multiplication. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(stride / (4 * LANES)), folded into y above 65535.  Needs: nothing.  Workgroup memory: 256 B.
// Provides: params.

// include dense/vector.wgsl: x, inside
// include dense/digit_places.wgsl: digit_place, NEXT_FOUR
// include common/workgroup_index.wgsl: workgroup_index

struct Params {
  rows: u32,
  cols: u32,
  stride: u32, // cells from one row to the next, a multiple of 32
}

@group(0) @binding(0) var<uniform> params: Params;
// Component d: limb d of four columns, an int8 each, the lowest limb first.
@group(0) @binding(1) var<storage, read_write> digits: array<vec4<u32>>;
// The shared scale of a group of 32 columns, divided by 16: the cells that limbs are multiplied by are stored times 16.
@group(0) @binding(3) var<storage, read_write> units: array<f32>;

const LANES = 64u;
// Lanes per group of 32 columns: each lane converts four.
const OF_GROUP = 8u;
// Exponents of f32 as stored, with the bias of 127. The largest x of a group gets 30 bits. The least exponent is such that the
// unit (exponent - 33, at least 1) is never subnormal.
const LEAST_EXPONENT = 34u;
const UNIT_BELOW_LARGEST = 33u;
// The bits of infinity; above them are the bits of NaN.
const INFINITY = 0x7f800000u;

var<workgroup> magnitudes: array<u32, LANES>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let four = workgroup_index(workgroup_id, num_workgroups) * LANES + local_index;
  let columns = inside(x[four], 4u * four);
  // The bits of absolute values, as integers, are in the order of the values; NaN is above all.
  let bits = bitcast<vec4<u32>>(columns) & vec4(0x7fffffffu);
  magnitudes[local_index] = max(max(bits.x, bits.y), max(bits.z, bits.w));
  workgroupBarrier();
  let first = local_index - local_index % OF_GROUP;
  var largest = magnitudes[first];
  for (var i = 1u; i < OF_GROUP; i++) {
    largest = max(largest, magnitudes[first + i]);
  }
  if (4u * four >= params.stride) {
    return;
  }
  let exponent = max(largest >> 23u, LEAST_EXPONENT);
  // 2 to the power of 29 - (exponent - 127): the largest becomes a number of 30 bits and a sign.
  let scale = bitcast<f32>((283u - min(exponent, 254u)) << 23u);
  let finite = vec4<i32>(round(columns * scale));
  // In a group with an infinity, all finite numbers count as 0, and the infinity as 1 with its sign.
  let infinite = select(vec4(0), vec4<i32>(sign(columns)), bits == vec4(INFINITY));
  let numbers = bitcast<vec4<u32>>(select(finite, infinite, largest >= INFINITY));
  // Balanced limbs from -128 to 127: adding 128 to each byte, with carries, and flipping its top bit splits the number.
  let signed_bytes = (numbers + 0x80808080u) ^ vec4(0x80808080u);
  let group = four / OF_GROUP;
  digits[digit_place(group) + four % OF_GROUP * NEXT_FOUR] = vec4(
    pack4xU8(signed_bytes),
    pack4xU8(signed_bytes >> vec4(8u)),
    pack4xU8(signed_bytes >> vec4(16u)),
    pack4xU8(signed_bytes >> vec4(24u)),
  );
  if (local_index == first) {
    // Infinity or NaN, as the scale, reaches every sum that it is part of.
    units[group] = bitcast<f32>(select((exponent - UNIT_BELOW_LARGEST) << 23u, largest, largest >= INFINITY));
  }
}
