// common/gated_backward: the gradients that flow back through one activation h = hg * hu of a gated block, where hg is the
// gate and the loss has an L1 term on h.
// Provides: flow_back.

struct Flow {
  h: f32,
  dhu: f32,
  dhg: f32,
}

// From the stored hg, hu, the sum of dy Wd^T, and the weight of sum |h| in the loss. Nothing flows where hg is 0, which is
// tested by its bits: subnormal numbers, which some devices flush to 0, and NaN are not 0.
fn flow_back(hg: f32, hu: f32, down: f32, l1_weight: f32) -> Flow {
  let bits = bitcast<u32>(hg);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude == 0u) {
    return Flow();
  }
  // The sign of h from the signs of its factors: their product may be too small to have one.
  let slope = l1_weight * sign(hu);
  // step: dh
  var dh = down + select(slope, -slope, (bits >> 31u) == 1u);
  if (magnitude > 0x7f800000u) {
    dh = hg;
  }
  // step: both
  return Flow(hg * hu, dh * hg, dh * hu);
}
