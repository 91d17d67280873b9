export const title = 'rows end at a zero';
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices',
  starts: 'u32 metadata', // first slot of a row
};

export function encode(A, { values, columns, starts }, params, tell) {
  for (const row of A) {
    starts.push(values.length);
    for (let i = 0; i < row.length; i++) {
      values.push(row.values[i]);
      columns.push(row.columns[i]);
      tell?.(`Column ${row.columns[i]}.`, row, row.columns[i]);
    }
    for (let i = row.length; i % 4 !== 0; i++) {
      values.pad();
      columns.pad();
    }
  }
  starts.push(values.length);
}

export function decode({ values, columns, starts }, { rows }, put) {
  for (let r = 0; r < rows; r++)
    for (let i = starts[r]; i < starts[r + 1]; i++) {
      if (values[i] === 0) break; // what follows is padding
      put(r, columns[i], values[i]);
    }
}
