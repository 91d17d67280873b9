// common/hidden_bf16: h in full as bf16, by the bits of the f32 that it is the upper half of.
// Gives: hidden_bits.  Takes: params.

// Two of a token each, the first in the lower half; rows are a whole number of fours.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

fn hidden_bits(token: u32, neuron: u32) -> u32 {
  let pair = hidden[(token * ((params.neurons + 3u) & ~3u) + neuron) / 2u];
  return select(pair << 16u, pair & 0xffff0000u, neuron % 2u == 1u);
}
