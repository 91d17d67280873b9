import { checkBound } from '../../../src/core/bounds/check.ts';
import { ReadError } from '../../../src/core/errors.ts';
import { MAX_LITERAL_TOKENS, MAX_LITERAL_CHARACTERS } from './tokenizer-checks.ts';

/**
 * A token that is matched literally in a text, before any merge: a control token such as the end of a text, or a token
 * that was added to the vocabulary.
 */
export interface LiteralToken {
  readonly id: number;
  readonly text: string;
  /** whether white space after it is omitted */
  readonly strips: boolean;
}

/**
 * A function that splits a text into ids of literal tokens and the texts between them, as llama.cpp does: at the token
 * with the most bytes first. Throws ReadError with the file's `name` for too many tokens.
 */
export function literalSplitter(
  literals: readonly LiteralToken[],
  name: string,
): (text: string) => readonly (number | string)[] {
  const characters = literals.reduce((sum, { text }) => sum + text.length, 0);
  checkBound(`${name}, literal tokens`, literals.length, MAX_LITERAL_TOKENS, 'tokens', ReadError);
  checkBound(`${name}, literal tokens`, characters, MAX_LITERAL_CHARACTERS, 'characters', ReadError);
  const encoder = new TextEncoder();
  const longestFirst = literals
    .filter(({ text }) => text !== '')
    .map((literal) => ({ ...literal, bytes: encoder.encode(literal.text).length }))
    .toSorted((a, b) => b.bytes - a.bytes || a.id - b.id);
  return (text) => {
    let parts: readonly (number | string)[] = text === '' ? [] : [text];
    for (const literal of longestFirst) {
      if (text.includes(literal.text)) parts = parts.flatMap((part) => divided(part, literal));
    }
    return parts;
  };
}

/** A text split at a token; an id is returned unchanged. */
function divided(part: number | string, { id, text, strips }: LiteralToken): readonly (number | string)[] {
  if (typeof part === 'number') return [part];
  return part.split(text).flatMap((piece, i) => {
    const rest = strips && i > 0 ? piece.replace(/^[\t-\r ]+/, '') : piece;
    return [...(i > 0 ? [id] : []), ...(rest === '' ? [] : [rest])];
  });
}
