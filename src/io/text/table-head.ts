/** Bytes of a file that are inspected. */
const SNIFFED_BYTES = 512;

/** A whole field that is a number. */
const NUMBER = /^"?[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)"?$/i;

/**
 * Whether a file that begins with `head` (up to 512 bytes) is certainly a table of numbers: two lines or more with the
 * same number of fields, or one with four or more, between commas, semicolons or tabs, after at most one line of names.
 */
export function isTable(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head).replace(/^\u00ef\u00bb\u00bf/, '');
  const lines = text.split(/\r?\n/);
  const last = lines.pop() ?? '';
  // A file that ends here has no truncated line.
  if (head.length < SNIFFED_BYTES) lines.push(last);
  const separator = ['\t', ';', ','].find((c) => text.includes(c));
  if (separator === undefined) return false;
  const whole = lines.filter((line) => line.trim() !== '').map((line) => fieldsOf(line, separator));
  // A long first line, whose last field may be truncated.
  if (whole.length === 0) return isNumbers(fieldsOf(last, separator).slice(0, -1), 4);
  const rows = isNumbers(whole[0], 1) ? whole : whole.slice(1);
  const [first] = rows;
  if (!first || !rows.every((row) => row.length === whole[0].length && isNumbers(row, 2))) return false;
  return whole.length > 1 || first.length >= 4;
}

/** Whether a file is a table of numbers separated by spaces only, which may be of several formats. */
export function isSpacedTable(head: Uint8Array): boolean {
  const lines = new TextDecoder('latin1').decode(head).split(/\r?\n/);
  const rows = (head.length < SNIFFED_BYTES ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '');
  return rows.length > 0 && rows.every((row) => isNumbers(row.trim().split(/ +/), 2));
}

function fieldsOf(line: string, separator: string): readonly string[] {
  return line.split(separator).map((field) => field.trim());
}

function isNumbers(fields: readonly string[], min: number): boolean {
  return fields.length >= min && fields.every((field) => NUMBER.test(field));
}
