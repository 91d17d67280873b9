export const title = 'HYB';
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices',
  width: 'u32 metadata', // slots of a row
  restValues: 'f16 values',
  restRows: 'u16 indices',
  restColumns: 'u16 indices',
};

export function encode(A, { values, columns, width, restValues, restRows, restColumns }, size, tell) {
  const lengths = Array.from(A, (row) => row.length).sort((a, b) => a - b);
  const slots = lengths[Math.floor((2 * lengths.length) / 3)] ?? 0; // two rows of three fit
  width.push(slots);
  for (let s = 0; s < slots; s++)
    for (const row of A) {
      if (s < row.length) {
        values.push(row.values[s]);
        columns.push(row.columns[s]);
      } else {
        values.pad();
        columns.pad();
      }
      tell?.(s < row.length ? `Slot ${s} of row ${row.index}.` : `Row ${row.index} has ended.`, row, row.columns[s]);
    }
  for (const row of A)
    for (let i = slots; i < row.length; i++) {
      restValues.push(row.values[i]);
      restRows.push(row.index);
      restColumns.push(row.columns[i]);
      tell?.(`Row ${row.index} has more than ${slots}: the rest goes to a list.`, row, row.columns[i]);
    }
}

export function decode({ values, columns, width, restValues, restRows, restColumns }, { rows }, put) {
  for (let i = 0; i < rows * width[0]; i++) put(i % rows, columns[i], values[i]);
  for (let i = 0; i < restValues.length; i++) put(restRows[i], restColumns[i], restValues[i]);
}
