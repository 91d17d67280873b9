// dense/digit_places: the order in which the int8 limbs (digits) of x, four of each mantissa (dense/x_digits), are stored. The
// limbs of columns 4 i .. 4 i + 3 of a group of 32 columns are one vec4 for each i from 0 to 7; those with the same i of 32
// neighbouring groups are adjacent, so that neighbouring lanes, each with a group, read neighbouring 16 bytes.
// Provides: digit_place, NEXT_FOUR.

// Distance, in elements of `digits`, from four columns of a group to the next four. Also the number of adjacent groups.
const NEXT_FOUR = 32u;

// The position in `digits` of the first four columns of a group.
fn digit_place(group: u32) -> u32 {
  return group / NEXT_FOUR * 8u * NEXT_FOUR + group % NEXT_FOUR;
}
