export const title = 'shared columns';
export const arrays = {
  values: 'f16 values',
  columns: 'u16 indices', // of every set, one after the other
  ends: 'u32 metadata', // where a set ends
  set: 'u16 metadata', // the set of a row
};

export function encode(A, { values, columns, ends, set }, params, tell) {
  const known = new Map();
  for (const row of A) {
    const key = Array.from(row.columns).join();
    const isNew = !known.has(key);
    if (isNew) {
      known.set(key, known.size);
      for (const column of row.columns) columns.push(column);
      ends.push(columns.length);
    }
    set.push(known.get(key));
    tell?.(
      isNew ? `Row ${row.index} has a new set of columns.` : `Row ${row.index} shares set ${known.get(key)}.`,
      row,
    );
    for (let i = 0; i < row.length; i++) {
      values.push(row.values[i]);
      tell?.(`The value in column ${row.columns[i]}.`, row, row.columns[i]);
    }
  }
}

export function decode({ values, columns, ends, set }, { rows }, put) {
  let at = 0;
  for (let r = 0; r < rows; r++) {
    for (let i = set[r] === 0 ? 0 : ends[set[r] - 1]; i < ends[set[r]]; i++) put(r, columns[i], values[at++]);
  }
}
