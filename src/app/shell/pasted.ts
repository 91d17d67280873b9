/** Of what is pasted, a matrix has this share of its cells as numbers, at least: other text is none of ours. */
const MOSTLY = 0.5;

/**
 * A pasted text as a file, if it is a matrix: rows are lines, or stand between ' / '; cells are those of a spreadsheet, or
 * stand between spaces, commas or semicolons. What is wrong with some of them is said where files are read. `taken`: names
 * of files that are open. null: it is no matrix.
 */
export function pastedFile(text: string, taken: ReadonlySet<string>): File | null {
  const lines = text.split(/\r\n?|\n|\s\/\s/).filter((line) => line.trim() !== '');
  // A spreadsheet has tabs, and may have a comma in a number.
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
