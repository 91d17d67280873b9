// ec-csr/bases_32: bases of 32 bits.
// Gives: base_at.

// Absolute column of every lane's first column; LANES per block.
@group(0) @binding(3) var<storage, read> baseIndices: array<u32>;

fn base_at(index: u32) -> u32 {
  return baseIndices[index];
}
