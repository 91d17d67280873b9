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
  return tokens.map((token) =>
    token
      .replaceAll(/\r\n?|\n/g, RETURN)
      .replaceAll('\t', ' ')
      .replaceAll(/\p{Cc}/gu, '\u00B7'),
  );
}

/** A token without the spaces around it; a token of spaces alone as ␣. */
export function visibleToken(token: string): string {
  return drawnTokens([token])[0].trim() || '\u2423';
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
      lines.push({ from: from + line.from, to: from + line.to });
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
  let isLineEmpty = true;
  for (let i = 0; i < tokens.length;) {
    let end = i + 1;
    while (end < tokens.length && !/^\s/.test(tokens[end])) end++;
    const text = tokens.slice(i, end).join('');
    const wordWidth = measure(text.trimStart());
    // A word of several tokens that is longer than a line begins a line, and is broken between its tokens.
    if (wordWidth > width && end - i > 1) {
      if (!isLineEmpty) lines.push({ from, to: i });
      const broken = breakWord(tokens, { from: i, to: end }, width, measure);
      for (const line of broken.lines) lines.push(line);
      from = broken.restFrom;
      lineWidth = broken.restWidth;
      isLineEmpty = false;
      i = end;
      continue;
    }
    // Any other word goes onto this line if it fits, else onto the next.
    const needed = isLineEmpty ? wordWidth : lineWidth + space + wordWidth;
    if (!isLineEmpty && needed > width) {
      lines.push({ from, to: i });
      from = i;
      lineWidth = wordWidth;
    } else {
      lineWidth = needed;
    }
    isLineEmpty = false;
    i = end;
  }
  if (from < tokens.length) lines.push({ from, to: tokens.length });
  return lines;
}

/**
 * Breaks a word between its tokens, the tokens `word.from` to `word.to - 1`: the full lines, and the rest, which begins the
 * next line, with its width.
 */
function breakWord(tokens: readonly string[], word: Line, width: number, measure: (text: string) => number) {
  const lines: Line[] = [];
  let { from } = word;
  let restWidth = 0;
  for (let t = word.from; t < word.to; t++) {
    const tokenWidth = measure(t === word.from ? tokens[t].trimStart() : tokens[t]);
    if (t > from && restWidth + tokenWidth > width) {
      lines.push({ from, to: t });
      from = t;
      restWidth = 0;
    }
    restWidth += tokenWidth;
  }
  return { lines, restFrom: from, restWidth };
}

/** The word that contains a token, without punctuation: 'Whose', even after '"'. */
export function wordAt(tokens: readonly string[], index: number): string {
  let from = index;
  while (from > 0 && !/^\s/.test(tokens[from])) from--;
  let to = index + 1;
  while (to < tokens.length && !/^\s/.test(tokens[to])) to++;
  return /[A-Za-z][A-Za-z'-]*/.exec(tokens.slice(from, to).join(''))?.[0] ?? '';
}
