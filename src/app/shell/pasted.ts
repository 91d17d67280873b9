/** The minimum share of numeric cells in a pasted matrix; any other text is ignored. */
const MOSTLY = 0.5;

/**
 * A pasted text as a file if it is a matrix, else null. Rows are lines, or end with ' / '; cells are separated as in a
 * spreadsheet, or by spaces, commas or semicolons. The reader of the file reports invalid cells. `taken`: names of open files.
 */
export function pastedFile(text: string, taken: ReadonlySet<string>): File | null {
  const lines = text.split(/\r\n?|\n|\s\/\s/).filter((line) => line.trim() !== '');
  // A spreadsheet uses tabs, and may have a comma within a number.
  const between = text.includes('\t') ? '\t' : [';', ','].find((one) => text.includes(one));
  const rows = lines.map((line) => (between === undefined ? line.trim().split(/\s+/) : line.split(between)));
  const cells = rows.flat();
  const numbers = cells.filter((cell) => /\d/.test(cell) && !Number.isNaN(Number(cell.trim().replace(',', '.'))));
  if (cells.length < 2 || numbers.length <= MOSTLY * cells.length) return null;
  const kind = between === ';' || between === ',' ? 'csv' : 'tsv';
  const name = (count: number): string => `pasted${count === 1 ? '' : `-${count}`}.${kind}`;
  let count = 1;
  while (taken.has(name(count))) count++;
  return new File([rows.map((row) => `${row.join(between ?? '\t')}\n`).join('')], name(count));
}
