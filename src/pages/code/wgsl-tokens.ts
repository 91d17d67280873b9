type TokenKind = 'keyword' | 'comment' | 'name' | 'rest';

/** A piece of a line of WGSL, coloured by its kind. */
export interface WgslToken {
  readonly kind: TokenKind;
  readonly text: string;
}

/** WGSL keywords, and directives: enable, requires and diagnostic. */
export const KEYWORDS = new Set(
  'alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop override requires return struct switch true var while'.split(
    ' ',
  ),
);

const PART = /\/\/.*$|[A-Za-z_]\w*|[^A-Za-z_/]+|\//g;

/** The tokens of a line of WGSL; joined, they are the line. Kernels have no block comments. O(characters). */
export function tokensOf(line: string): readonly WgslToken[] {
  return Array.from(line.matchAll(PART), ([text]): WgslToken => {
    if (text.startsWith('//')) return { kind: 'comment', text };
    if (KEYWORDS.has(text)) return { kind: 'keyword', text };
    return { kind: /^[A-Za-z_]/.test(text) ? 'name' : 'rest', text };
  });
}
