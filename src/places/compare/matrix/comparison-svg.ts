import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { bytes, density } from '../../../kit/words/quantity.ts';
import { denseBytes } from './comparison-words.ts';
import type { FormatRow } from './format-rows.ts';

const ROW = 30;
const HEAD = 64;
const LEFT = 130;
const BAR = 460;
const WIDTH = 760;

/** The bytes of all formats as a standalone drawing, in the page's colours; `colorOf` returns a variable's value. */
export function comparisonSvg(
  rows: readonly FormatRow[],
  matrix: { readonly rows: number; readonly cols: number },
  title: string,
  colorOf: (name: string) => string,
): string {
  const dense = denseBytes(matrix);
  const most = rows.reduce((largest, row) => Math.max(largest, row.bytes ?? 0), dense) * 1.02;
  const height = HEAD + rows.length * ROW + 16;
  const text = (x: number, y: number, words: string, more = ''): string =>
    `<text x="${x}" y="${y}" font-size="12" font-family="sans-serif" fill="${colorOf('--text')}" ${more}>${escaped(words)}</text>`;
  const parts = rows.map((row, i) => {
    const y = HEAD + i * ROW;
    const name = text(12, y + 14, row.format.title);
    if (row.classBits === null || row.bytes === null) {
      return name + text(LEFT, y + 14, row.state === 'refused' ? 'refused' : '', `opacity="0.6"`);
    }
    const { classBits } = row;
    let x = LEFT;
    const bars = BYTE_CLASSES.map((byteClass) => {
      const width = ((classBits[byteClass] / 8) * BAR) / most;
      const bar =
        byteClass === 'padding'
          ? `<rect x="${x}" y="${y + 3}" width="${width}" height="14" fill="none" stroke="${colorOf('--text-muted')}" stroke-dasharray="2 2"/>`
          : `<rect x="${x}" y="${y + 3}" width="${width}" height="14" fill="${colorOf(`--${byteClass}`)}"/>`;
      x += width;
      return width === 0 ? '' : bar;
    });
    return name + bars.join('') + text(LEFT + BAR + 16, y + 14, `${bytes(row.bytes)}, ${density(row.bytes / dense)}`);
  });
  const at = LEFT + (dense * BAR) / most;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<rect width="${WIDTH}" height="${height}" fill="${colorOf('--ground')}"/>`,
    text(12, 26, title, 'font-weight="600"'),
    text(at, HEAD - 8, referenceFormat.title, 'text-anchor="middle"'),
    `<line x1="${at}" x2="${at}" y1="${HEAD - 4}" y2="${height - 12}" stroke="${colorOf('--text-muted')}" stroke-dasharray="2 3"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
