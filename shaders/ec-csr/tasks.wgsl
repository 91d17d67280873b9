// ec-csr/tasks: blocks dealt out to workgroups in tasks of eight block rows: one block of 8, two of 4, four of 2 or
// eight of 1, computed side by side so that their loads are under way together.
// Gives: schedule, places, NOWHERE, Share, share_of, compute_tasks.  Takes: Walk, baseIndices, give_sum, segments and products of rows,
// lane_sums_8, group_sum, sum_apart, halve_8.

// First two elements per workgroup: first block, tasks of blocks of 8, 4 and 2 rows; tasks of blocks of 1 row, first
// of its places, first of its rows, rows. Then one element per block of every task: first of its bases, first column,
// segments, set; a block of no segments fills up a task. Then one element per row: row, its sums from, to, 0.
@group(0) @binding(4) var<storage, read> schedule: array<vec4<u32>>;
// Per row of a task: the place of its sum; NOWHERE for rows that only fill up.
@group(0) @binding(5) var<storage, read> places: array<u32>;

const NOWHERE = 0xffffffffu;

// What a workgroup computes.
struct Share {
  first_block: u32,
  tasks_8: u32,
  tasks_4: u32,
  tasks_2: u32,
  tasks_1: u32,
  first_place: u32,
  first_row: u32,
  rows: u32,
}

fn share_of(workgroup: u32) -> Share {
  let a = schedule[2u * workgroup];
  let b = schedule[2u * workgroup + 1u];
  return Share(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
}

fn walk_at(s: vec4<u32>, vector_size: u32, lane: u32) -> Walk {
  return Walk(s.y + lane * vector_size, s.z, baseIndices[s.x + lane]);
}

// Place of the segment s; behind the last segment the last again, whose sums are then left out.
fn segment_at(walk: Walk, s: u32) -> u32 {
  return walk.place + min(s, max(walk.segments, 1u) - 1u) * 4u * LANES;
}

fn part_1(blocks: BlockSet, walk: Walk, s: u32, column: ptr<function, u32>) -> f32 {
  return select(0.0, products_1(segment_1(blocks, segment_at(walk, s)), column), s < walk.segments);
}

fn part_2(blocks: BlockSet, walk: Walk, s: u32, column: ptr<function, u32>) -> vec2<f32> {
  return select(vec2(0.0), products_2(segment_2(blocks, segment_at(walk, s)), column), s < walk.segments);
}

fn part_4(blocks: BlockSet, walk: Walk, s: u32, column: ptr<function, u32>) -> vec4<f32> {
  return select(vec4(0.0), products_4(segment_4(blocks, segment_at(walk, s)), column), s < walk.segments);
}

// One column: `i` counts those of the lane.
fn place_of(blocks: BlockSet, walk: Walk, i: u32) -> u32 {
  let v = blocks.vector_size;
  let j = min(i, max(walk.segments * v, 1u) - 1u);
  return walk.place + j / v * v * LANES + j % v;
}

fn column_of_1(blocks: BlockSet, walk: Walk, i: u32, column: ptr<function, u32>) -> f32 {
  let place = place_of(blocks, walk, i);
  *column += delta_at(blocks, place);
  let value = value_at(blocks.values_at + place);
  return select(value * x_at(*column), 0.0, value == 0.0 || i >= walk.segments * blocks.vector_size);
}

fn column_of_2(blocks: BlockSet, walk: Walk, i: u32, column: ptr<function, u32>) -> vec2<f32> {
  let place = place_of(blocks, walk, i);
  *column += delta_at(blocks, place);
  let first = blocks.values_at + 2u * place;
  let pair = vec2(value_at(first), value_at(first + 1u));
  let left_out = vec2(i >= walk.segments * blocks.vector_size);
  return select(pair * x_at(*column), vec2(0.0), (pair == vec2(0.0)) | left_out);
}

fn column_of_4(blocks: BlockSet, walk: Walk, i: u32, column: ptr<function, u32>) -> vec4<f32> {
  let place = place_of(blocks, walk, i);
  *column += delta_at(blocks, place);
  let four = unpacked_four(packed_four(blocks.values_at + 4u * place));
  let left_out = vec4(i >= walk.segments * blocks.vector_size);
  return select(four * x_at(*column), vec4(0.0), (four == vec4(0.0)) | left_out);
}

// The sums of two blocks of four rows, for one lane. The blocks of a step do not wait for each other.
fn task_4(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  var walks: array<Walk, 2>;
  var sums: array<vec4<f32>, 2>;
  var most = 0u;
  for (var k = 0u; k < 2u; k++) {
    walks[k] = walk_at(schedule[block + k], blocks.vector_size, lane);
    most = max(most, walks[k].segments);
  }
  if (blocks.vector_size == 4u) {
    for (var s = 0u; s < most; s++) {
      for (var k = 0u; k < 2u; k++) {
        var column = walks[k].column;
        sums[k] += part_4(blocks, walks[k], s, &column);
        walks[k].column = column;
      }
    }
  } else {
    for (var i = 0u; i < most * blocks.vector_size; i++) {
      for (var k = 0u; k < 2u; k++) {
        var column = walks[k].column;
        sums[k] += column_of_4(blocks, walks[k], i, &column);
        walks[k].column = column;
      }
    }
  }
  return mat2x4(sums[0], sums[1]);
}

// The sums of four blocks of two rows, for one lane. The blocks of a step do not wait for each other.
fn task_2(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  var walks: array<Walk, 4>;
  var sums: array<vec2<f32>, 4>;
  var most = 0u;
  for (var k = 0u; k < 4u; k++) {
    walks[k] = walk_at(schedule[block + k], blocks.vector_size, lane);
    most = max(most, walks[k].segments);
  }
  if (blocks.vector_size == 4u) {
    for (var s = 0u; s < most; s++) {
      for (var k = 0u; k < 4u; k++) {
        var column = walks[k].column;
        sums[k] += part_2(blocks, walks[k], s, &column);
        walks[k].column = column;
      }
    }
  } else {
    for (var i = 0u; i < most * blocks.vector_size; i++) {
      for (var k = 0u; k < 4u; k++) {
        var column = walks[k].column;
        sums[k] += column_of_2(blocks, walks[k], i, &column);
        walks[k].column = column;
      }
    }
  }
  return mat2x4(vec4(sums[0], sums[1]), vec4(sums[2], sums[3]));
}

// The sums of eight blocks of one row, for one lane. The blocks of a step do not wait for each other.
fn task_1(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  var walks: array<Walk, 8>;
  var sums: array<f32, 8>;
  var most = 0u;
  for (var k = 0u; k < 8u; k++) {
    walks[k] = walk_at(schedule[block + k], blocks.vector_size, lane);
    most = max(most, walks[k].segments);
  }
  if (blocks.vector_size == 4u) {
    for (var s = 0u; s < most; s++) {
      for (var k = 0u; k < 8u; k++) {
        var column = walks[k].column;
        sums[k] += part_1(blocks, walks[k], s, &column);
        walks[k].column = column;
      }
    }
  } else {
    for (var i = 0u; i < most * blocks.vector_size; i++) {
      for (var k = 0u; k < 8u; k++) {
        var column = walks[k].column;
        sums[k] += column_of_1(blocks, walks[k], i, &column);
        walks[k].column = column;
      }
    }
  }
  return mat2x4(vec4(sums[0], sums[1], sums[2], sums[3]), vec4(sums[4], sums[5], sums[6], sums[7]));
}

// Sums over the group of rows 0 to 3 and 4 to 7 of a task: that of row r in all lanes whose lowest bits are r.
fn row_of_lane(sums: mat2x4<f32>, lane: u32, lanes: u32) -> f32 {
  return sum_apart(halve_8(sums, lane), 8u, lanes);
}

// The same for a group of less than eight lanes, which give several rows each.
fn give_rows(first: u32, sums: mat2x4<f32>, lane: u32, lanes: u32) {
  let low = group_sum(sums[0], lanes);
  let high = group_sum(sums[1], lanes);
  for (var row = lane; row < 8u; row += lanes) {
    give_sum(places[first + row], select(low[row & 3u], high[row & 3u], row >= 4u));
  }
}

// The first block of a task.
fn first_block_of(share: Share, task: u32) -> u32 {
  let from_4 = share.tasks_8;
  let from_2 = from_4 + share.tasks_4;
  let from_1 = from_2 + share.tasks_2;
  return share.first_block + min(task, from_4) + 2u * (clamp(task, from_4, from_2) - from_4) +
    4u * (clamp(task, from_2, from_1) - from_2) + 8u * (max(task, from_1) - from_1);
}

// The tasks of a workgroup, largest granularity first, dealt out to its subgroups in turn. Lanes
// beyond LANES add nothing.
fn compute_tasks(share: Share, subgroup: u32, subgroups: u32, lane: u32, lanes: u32) {
  let from_4 = share.tasks_8;
  let from_2 = from_4 + share.tasks_4;
  let from_1 = from_2 + share.tasks_2;
  let end = from_1 + share.tasks_1;
  if (subgroup >= end) {
    return;
  }
  var next = schedule[first_block_of(share, subgroup)];
  for (var task = subgroup; task < end; task += subgroups) {
    // Under way while this task computes: where its sums go, and the first block of the next.
    let rows_at = share.first_place + 8u * task;
    let place = places[rows_at + (lane & 7u)];
    let first = next;
    next = schedule[first_block_of(share, min(task + subgroups, end - 1u))];
    let block = first_block_of(share, task);
    let blocks = params.sets[first.w];
    var sums = mat2x4<f32>();
    if (MAX_GRANULARITY >= 8u && task < from_4) {
      for (var l = lane; l < LANES; l += lanes) {
        sums += lane_sums_8(blocks, walk_at(first, blocks.vector_size, l));
      }
    } else if (MAX_GRANULARITY >= 4u && task < from_2) {
      for (var l = lane; l < LANES; l += lanes) {
        sums += task_4(blocks, block, l);
      }
    } else if (MAX_GRANULARITY >= 2u && task < from_1) {
      for (var l = lane; l < LANES; l += lanes) {
        sums += task_2(blocks, block, l);
      }
    } else {
      for (var l = lane; l < LANES; l += lanes) {
        sums += task_1(blocks, block, l);
      }
    }
    if (lanes >= 8u) {
      let sum = row_of_lane(sums, lane, lanes);
      if (lane < 8u) {
        give_sum(place, sum);
      }
    } else {
      give_rows(rows_at, sums, lane, lanes);
    }
  }
}
