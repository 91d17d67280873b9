// common/hidden: reads a value of h, stored dense, as the bits of its f32.

// variant f32: stored as f32; read as bits, so that numbers too small for some devices are packed like all others.
// Provides: hidden_bits.  Requires: params.

// One token after the other.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

fn hidden_bits(token: u32, neuron: u32) -> u32 {
  return hidden[token * params.neurons + neuron];
}

// variant bf16: stored as bf16, the upper half of an f32.
// Provides: hidden_bits.  Requires: params.

// Two of a token each, the first in the lower half; rows are a whole number of fours.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

fn hidden_bits(token: u32, neuron: u32) -> u32 {
  let pair = hidden[(token * ((params.neurons + 3u) & ~3u) + neuron) / 2u];
  return select(pair << 16u, pair & 0xffff0000u, neuron % 2u == 1u);
}
