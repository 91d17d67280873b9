import { FONTS, type Theme } from '../../render/index.ts';

// SVG as text, for pictures that are not on the page.

/** A text broken into lines of at most `maxCharacters` characters. */
export function wrapped(text: string, maxCharacters: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxCharacters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface TextStyle {
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
  readonly anchor?: 'middle' | 'end';
  readonly mono?: boolean;
}

/** A text element at (x, y) in px. */
export function svgText(x: number, y: number, words: string, style: TextStyle = {}): string {
  const attributes = [
    style.size === undefined ? '' : ` font-size="${style.size}"`,
    style.weight === undefined ? '' : ` font-weight="${style.weight}"`,
    style.fill === undefined ? '' : ` fill="${style.fill}"`,
    style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`,
    style.mono ? ` font-family="${escapeXml(FONTS.mono)}"` : '',
  ].join('');
  return `<text x="${svgNumber(x)}" y="${svgNumber(y)}"${attributes}>${escapeXml(words)}</text>`;
}

/** An SVG document of these elements on a theme's background; width and height in px. */
export function svgDocument(width: number, height: number, theme: Theme, parts: readonly string[]): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${escapeXml(FONTS.sans)}" font-size="13" fill="${theme.text}">` +
    `<rect width="100%" height="100%" fill="${theme.ground}"/>${parts.join('')}</svg>\n`
  );
}

/** A length in px with at most two decimals. */
export function svgNumber(v: number): string {
  return String(Number(v.toFixed(2)));
}

/** Escapes text for an element or an attribute. */
export function escapeXml(words: string): string {
  return words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
