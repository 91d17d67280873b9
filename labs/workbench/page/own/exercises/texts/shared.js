export const title = 'shared columns';
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices',
  starts: 'u32 metadata', // first entry of a row
};

export function encode(A, { values, columns, starts }, params, tell) {
  for (const row of A) {
    starts.push(values.length);
    for (let i = 0; i < row.length; i++) {
      values.push(row.values[i]);
      columns.push(row.columns[i]); // Seven other rows have the same.
      tell?.(`Column ${row.columns[i]}.`, row, row.columns[i]);
    }
  }
  starts.push(values.length);
}

export function decode({ values, columns, starts }, { rows }, put) {
  for (let r = 0; r < rows; r++) for (let i = starts[r]; i < starts[r + 1]; i++) put(r, columns[i], values[i]);
}
