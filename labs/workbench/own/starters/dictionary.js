export const title = 'dictionary of 16';
export const arrays = {
  codes: 'u4 values',
  dictionary: 'f16 metadata',
  columns: 'u16 indices',
  starts: 'u32 metadata', // first entry of a row
};
export const refuses = (A) =>
  new Set(A.values).size > 16 && `${new Set(A.values).size} different values, a code of 4 bits has 16`;

export function encode(A, { codes, dictionary, columns, starts }, size, tell) {
  const known = new Map();
  for (const row of A) {
    starts.push(codes.length);
    for (let i = 0; i < row.length; i++) {
      const value = row.values[i];
      if (!known.has(value)) known.set(value, dictionary.push(value));
      codes.push(known.get(value));
      columns.push(row.columns[i]);
      tell?.(`${value} is number ${known.get(value)} of the dictionary.`, row, row.columns[i]);
    }
  }
  starts.push(codes.length);
}

export function decode({ codes, dictionary, columns, starts }, { rows }, put) {
  for (let r = 0; r < rows; r++)
    for (let i = starts[r]; i < starts[r + 1]; i++) put(r, columns[i], dictionary[codes[i]]);
}
