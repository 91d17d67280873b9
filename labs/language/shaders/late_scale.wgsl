// language/late_scale: the factor of RMSNorm, one over the root mean square of a stream, for a product that was computed from the
// stream before its norm was known. The stage that reads the product applies the factor. All lanes of a workgroup call
// find_late_scale; after it, they see what others have written to workgroup memory before.

// variant none: the stream was normalised.
// Provides: late_scale, load_stream, find_late_scale.

const late_scale = 1.0;

fn load_stream(_local_index: u32) -> u32 {
  return 0u;
}

fn find_late_scale(_loaded: u32, _local_index: u32) {
  workgroupBarrier();
}

// variant at_3 or at_7: the workgroup adds up the squares of the stream itself, so that no dispatch waits for a norm.
// Provides: late_scale, load_stream, find_late_scale.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total

// Columns of the stream, a multiple of four.
override HIDDEN: u32 = 4u;
// Added to the mean of squares.
override EPS: f32 = 0.00001;

var<private> late_scale: f32;

// Loads of a lane that are in flight at once.
const LOADED = 2u;

// The first part of the stream that a lane reads. Called before other loads, it overlaps with them.
fn load_stream(local_index: u32) -> array<vec4<f32>, LOADED> {
  var loaded: array<vec4<f32>, LOADED>;
  for (var i = 0u; i < LOADED; i++) {
    let at = i * WORKGROUP_SIZE + local_index;
    if (at < HIDDEN / 4u) {
      loaded[i] = stream[at];
    }
  }
  return loaded;
}

// For one token.
fn find_late_scale(loaded: array<vec4<f32>, LOADED>, local_index: u32) {
  var squares = 0.0;
  for (var i = 0u; i < LOADED; i++) {
    squares += dot(loaded[i], loaded[i]);
  }
  for (var i = LOADED * WORKGROUP_SIZE + local_index; i < HIDDEN / 4u; i += WORKGROUP_SIZE) {
    squares += dot(stream[i], stream[i]);
  }
  late_scale = inverseSqrt(workgroup_total(squares, local_index) / f32(HIDDEN) + EPS);
}

// variant at_3: of a stage with three other buffers.

// The stream.
@group(0) @binding(3) var<storage, read> stream: array<vec4<f32>>;

// variant at_7: of a stage with seven other buffers.

// The stream.
@group(0) @binding(7) var<storage, read> stream: array<vec4<f32>>;
