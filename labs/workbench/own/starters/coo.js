export const title = 'COO';
export const arrays = {
  values: 'f16 values',
  rows: 'u16 indices',
  columns: 'u16 indices',
};

export function encode(A, out) {
  for (const row of A)
    for (let i = 0; i < row.length; i++) {
      out.values.push(row.values[i]);
      out.rows.push(row.index);
      out.columns.push(row.columns[i]);
    }
}

export function decode(arrays, size, put) {
  const { values, rows, columns } = arrays;
  for (let i = 0; i < values.length; i++) put(rows[i], columns[i], values[i]);
}
