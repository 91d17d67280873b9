export const title = 'ELL';
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices',
  order: 'u16 metadata', // the row in a place
  starts: 'u32 metadata', // first slot of a chunk
};

const chunkOf = (rows) => Math.max(1, rows); // 1. Cut: rows of a chunk.

export function encode(A, out, params, tell) {
  const { values, columns, starts } = out;
  const C = chunkOf(A.rows);
  const rows = A.slice(0, A.rows); // 2. Sort: the longest first.
  for (let k = 0; k < A.rows; k += C) {
    const chunk = rows.slice(k, k + C);
    const width = Math.max(...chunk.map((row) => row.length));
    starts.push(values.length);
    // 3. Remember the order, in out.order.
    for (let slot = 0; slot < width; slot++)
      for (let lane = 0; lane < C; lane++) {
        const row = chunk[lane];
        if (slot < row?.length) {
          values.push(row.values[slot]);
          columns.push(row.columns[slot]);
          tell?.(`Slot ${slot}, lane ${lane}.`, row, row.columns[slot]);
        } else {
          values.pad();
          columns.pad();
        }
      }
  }
  starts.push(values.length);
}

export function decode(arrays, { rows }, put) {
  const { values, columns, starts } = arrays;
  const C = chunkOf(rows);
  for (let place = 0; place < rows; place++) {
    const k = Math.floor(place / C);
    const row = place; // 4. Which row is in this place?
    for (let i = starts[k] + (place % C); i < starts[k + 1]; i += C) put(row, columns[i], values[i]);
  }
}
