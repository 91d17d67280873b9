export const title = 'DIA';
export const arrays = {
  values: 'f16 values',
  offsets: 'i32 indices', // column minus row
};

export function encode(A, { values, offsets }, size, tell) {
  const held = new Set();
  for (const row of A) for (const c of row.columns) held.add(c - row.index);
  for (const offset of [...held].sort((a, b) => a - b)) {
    offsets.push(offset);
    tell?.(`Diagonal ${offset} holds a non-zero, so all of it is stored.`);
    for (let r = 0; r < A.rows; r++) {
      const value = A.at(r, r + offset);
      if (value === 0) values.pad();
      else values.push(value);
      if (value !== 0) tell?.(`Row ${r} of diagonal ${offset}.`, r, r + offset);
    }
  }
}

export function decode({ values, offsets }, { rows }, put) {
  for (let d = 0; d < offsets.length; d++) for (let r = 0; r < rows; r++) put(r, r + offsets[d], values[d * rows + r]);
}
