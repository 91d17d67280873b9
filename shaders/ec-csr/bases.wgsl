// ec-csr/bases: the base of every lane, an absolute column.

// variant 16: 16 bits, two in a u32, first in the low half.
// Provides: base_at.

// First columns of two lanes; LANES, an even number, per block.
@group(0) @binding(3) var<storage, read> baseIndices: array<u32>;

fn base_at(index: u32) -> u32 {
  return (baseIndices[index / 2u] >> (16u * (index & 1u))) & 0xffffu;
}

// variant 32: 32 bits.
// Provides: base_at.

// First column of every lane; LANES per block.
@group(0) @binding(3) var<storage, read> baseIndices: array<u32>;

fn base_at(index: u32) -> u32 {
  return baseIndices[index];
}
