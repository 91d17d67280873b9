export const title = 'SELL-C-σ';
export const params = {
  C: { options: [4, 8, 32], meaning: 'rows of a chunk' },
  sigma: { options: [8, 1, 128], meaning: 'rows sorted together' },
};
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices',
  order: 'u16 metadata', // the row in a place
  starts: 'u32 metadata', // first slot of a chunk
};

export function encode(A, out, { C, sigma }, tell) {
  const { values, columns, order, starts } = out;
  const sorted = [];
  for (let top = 0; top < A.rows; top += sigma)
    sorted.push(...A.slice(top, top + sigma).sort((a, b) => b.length - a.length));

  for (let k = 0; k < A.rows; k += C) {
    const chunk = sorted.slice(k, k + C);
    const width = Math.max(...chunk.map((row) => row.length));
    starts.push(values.length);
    for (const row of chunk) order.push(row.index);
    tell?.(`Chunk ${k / C} is ${width} slots wide.`, chunk);

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
          tell?.(`Lane ${lane} has ended: padding.`, row);
        }
      }
  }
  starts.push(values.length);
}

export function decode(arrays, { C }, put) {
  const { values, columns, order, starts } = arrays;
  for (let place = 0; place < order.length; place++) {
    const k = Math.floor(place / C);
    for (let i = starts[k] + (place % C); i < starts[k + 1]; i += C) put(order[place], columns[i], values[i]);
  }
}
