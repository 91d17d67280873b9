// bitmask/group_columns: reads the stored column of a group of eight values: the column of its first value.

// variant 16: u16, two in a u32, the lower half first.
// Provides: group_column.

// Of values 8 g .. 8 g + 7.
@group(0) @binding(6) var<storage, read> group_columns: array<u32>;

fn group_column(group: u32) -> u32 {
  return (group_columns[group >> 1u] >> (16u * (group & 1u))) & 0xffffu;
}

// variant 32: u32, for more than 65536 columns.
// Provides: group_column.

// Of values 8 g .. 8 g + 7.
@group(0) @binding(6) var<storage, read> group_columns: array<u32>;

fn group_column(group: u32) -> u32 {
  return group_columns[group];
}
