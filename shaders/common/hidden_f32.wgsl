// common/hidden_f32: h in full as f32, by its bits: numbers too small for some devices are packed like all others.
// Gives: hidden_bits.  Takes: params.

// One token after the other.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

fn hidden_bits(token: u32, neuron: u32) -> u32 {
  return hidden[token * params.neurons + neuron];
}
