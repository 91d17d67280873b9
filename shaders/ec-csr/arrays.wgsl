// ec-csr/arrays: reads stored deltas and values: combines ec-csr/deltas and ec-csr/values for the kernels.
// Provides: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at, PackedEight, PackedFour, packed_eight,
// unpacked_eight, halves_stored, packed_four, unpacked_four, value_at.

// include ec-csr/deltas.wgsl#4 or #8 or #16: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at
// include ec-csr/values.wgsl#f16 or #f32: PackedEight, PackedFour, packed_eight, unpacked_eight, halves_stored, packed_four,
//   unpacked_four, value_at
