// bitmask/group_columns_32: the column in which the first of eight values stands, as u32, for more than 65536 columns.
// Gives: group_column.

// Of values 8 g .. 8 g + 7.
@group(0) @binding(6) var<storage, read> group_columns: array<u32>;

fn group_column(group: u32) -> u32 {
  return group_columns[group];
}
