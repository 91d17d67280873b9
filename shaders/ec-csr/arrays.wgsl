// ec-csr/arrays: how stored deltas and values are read.
// Gives: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at, PackedEight, PackedFour, packed_eight,
// unpacked_eight, halves_stored, packed_four, unpacked_four, value_at.

// include ec-csr/deltas_4.wgsl or ec-csr/deltas_8.wgsl or ec-csr/deltas_16.wgsl: PackedDeltas, packed_deltas,
//   unpacked_deltas, sum_of_deltas, delta_at
// include ec-csr/values_f16.wgsl or ec-csr/values_f32.wgsl: PackedEight, PackedFour, packed_eight, unpacked_eight,
//   halves_stored, packed_four, unpacked_four, value_at
