// Breaks the tokens of a text into lines of a given width.

/** A line of a wrapped text: its tokens `from` to `to - 1`. */
export interface Line {
  readonly from: number;
  readonly to: number;
}

/** The symbol for a line end that a model wrote. */
const RETURN = '\u21B5';

/** Tokens as drawn, without line breaks: '\n' is an arrow, a tab a space, and any other control character a dot. */
export function drawnTokens(tokens: readonly string[]): readonly string[] {
  return tokens.map((piece) =>
    piece
      .replaceAll(/\r\n?|\n/g, RETURN)
      .replaceAll('\t', ' ')
      .replaceAll(/\p{Cc}/gu, '\u00B7'),
  );
}

/** A token without the spaces around it; a token of spaces alone as ␣. */
export function visibleToken(piece: string): string {
  return drawnTokens([piece])[0].trim() || '\u2423';
}

/**
 * Breaks drawn tokens into lines of at most `width`: before tokens that begin with a space (other tokens continue a
 * word), after each arrow for '\n', and inside words only if they are longer than a line. `measure` is the width of a
 * text.
 */
export function wrapTokens(
  tokens: readonly string[],
  width: number,
  measure: (text: string) => number,
): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < tokens.length;) {
    let to = from + 1;
    while (to < tokens.length && !tokens[to - 1].endsWith(RETURN)) to++;
    for (const line of wrapLine(tokens.slice(from, to), width, measure)) {
      lines.push({ from: from + line.from, to: from + line.to }); // bounded: tokens
    }
    from = to;
  }
  return lines;
}

/** Breaks the tokens of one line of the text into lines of at most `width`. */
function wrapLine(tokens: readonly string[], width: number, measure: (text: string) => number): readonly Line[] {
  const lines: Line[] = [];
  const space = measure(' ');
  let from = 0;
  let lineWidth = 0;
  /** words on the line so far */
  let words = 0;
  for (let i = 0; i < tokens.length;) {
    let end = i + 1;
    while (end < tokens.length && !/^\s/.test(tokens[end])) end++;
    const text = tokens.slice(i, end).join('');
    const wordWidth = measure(text.trimStart());
    // A word of several tokens that is longer than a line begins a line, and is broken between its tokens.
    if (wordWidth > width && end - i > 1) {
      if (words > 0) lines.push({ from, to: i });
      from = i;
      lineWidth = 0;
      for (let t = i; t < end; t++) {
        const piece = measure(t === i ? tokens[t].trimStart() : tokens[t]);
        if (t > from && lineWidth + piece > width) {
          lines.push({ from, to: t });
          from = t;
          lineWidth = 0;
        }
        lineWidth += piece;
      }
      words = 1;
      i = end;
      continue;
    }
    // Any other word goes onto this line if it fits, else onto the next.
    const needed = words === 0 ? wordWidth : lineWidth + space + wordWidth;
    if (words > 0 && needed > width) {
      lines.push({ from, to: i });
      from = i;
      lineWidth = wordWidth;
      words = 1;
    } else {
      lineWidth = needed;
      words++;
    }
    i = end;
  }
  if (from < tokens.length) lines.push({ from, to: tokens.length });
  return lines;
}

/** The word that contains a token, without punctuation: 'Whose', even after '"'. */
export function wordAt(tokens: readonly string[], index: number): string {
  let from = index;
  while (from > 0 && !/^\s/.test(tokens[from])) from--;
  let to = index + 1;
  while (to < tokens.length && !/^\s/.test(tokens[to])) to++;
  return /[A-Za-z][A-Za-z'-]*/.exec(tokens.slice(from, to).join(''))?.[0] ?? '';
}
