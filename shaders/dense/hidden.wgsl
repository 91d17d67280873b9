// dense/hidden: reads four neighbouring activations h (hidden neurons of a feed-forward block), stored dense.

// variant f16: two in a word, the lower half first.
// Provides: four_of_h.

// Four values per element; every row begins with a new element.
@group(0) @binding(4) var<storage, read> hidden: array<vec2<u32>>;

fn four_of_h(four: u32) -> vec4<f32> {
  let words = hidden[four];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}

// variant f32: one in a word.
// Provides: four_of_h.

// Four values per element; every row begins with a new element.
@group(0) @binding(4) var<storage, read> hidden: array<vec4<f32>>;

fn four_of_h(four: u32) -> vec4<f32> {
  return hidden[four];
}
