export const title = 'run lengths';
export const arrays = {
  values: 'f16 values',
  zeros: 'u8 indices', // zeros before a run
  lengths: 'u8 indices', // non-zeros of it
  starts: 'u32 metadata', // first run of a row
};

export function encode(A, out, size, tell) {
  const { values, zeros, lengths, starts } = out;
  for (const row of A) {
    starts.push(zeros.length);
    let next = 0;
    for (let i = 0; i < row.length;) {
      let gap = row.columns[i] - next;
      for (; gap > 255; gap -= 255) {
        zeros.pad(255);
        lengths.pad(0);
        tell?.('255 zeros and a run of none.', row);
      }
      let n = 1;
      while (n < 255 && row.columns[i + n] === row.columns[i] + n) n++;
      zeros.push(gap);
      lengths.push(n);
      tell?.(`${gap} zeros, then a run of ${n}.`, row);
      next = row.columns[i] + n;
      for (; n > 0; n--, i++) {
        values.push(row.values[i]);
        tell?.('The run reaches here.', row, row.columns[i]);
      }
    }
  }
  starts.push(zeros.length);
}

export function decode(arrays, { rows }, put) {
  const { values, zeros, lengths, starts } = arrays;
  let at = 0;
  for (let r = 0; r < rows; r++) {
    let column = 0;
    for (let k = starts[r]; k < starts[r + 1]; k++) {
      column += zeros[k];
      for (let n = lengths[k]; n > 0; n--) put(r, column++, values[at++]);
    }
  }
}
