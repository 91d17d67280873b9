/** A pasted text is a matrix if more than this share of its cells is numeric. */
const MIN_NUMERIC_SHARE = 0.5;

/**
 * Makes a file of a pasted text if the text is a matrix, else null. Rows are lines, or end with ' / '; cells are
 * separated by tabs, spaces, commas or semicolons. Invalid cells are reported by the reader of the file. `taken`: names
 * in use.
 */
export function pastedFile(text: string, taken: ReadonlySet<string>): File | null {
  const lines = text.split(/\r\n?|\n|\s\/\s/).filter((line) => line.trim() !== '');
  // A spreadsheet uses tabs, and may have a comma within a number.
  const separator = text.includes('\t') ? '\t' : [';', ','].find((one) => text.includes(one));
  const rows = lines.map((line) => (separator === undefined ? line.trim().split(/\s+/) : line.split(separator)));
  const cells = rows.flat();
  const numbers = cells.filter((cell) => /\d/.test(cell) && !Number.isNaN(Number(cell.trim().replace(',', '.'))));
  if (cells.length < 2 || numbers.length <= MIN_NUMERIC_SHARE * cells.length) return null;
  const kind = separator === ';' || separator === ',' ? 'csv' : 'tsv';
  const name = (count: number): string => `pasted${count === 1 ? '' : `-${count}`}.${kind}`;
  let count = 1;
  while (taken.has(name(count))) count++;
  return new File([rows.map((row) => `${row.join(separator ?? '\t')}\n`).join('')], name(count));
}
