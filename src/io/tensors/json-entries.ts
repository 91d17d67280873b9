import { quotedValue } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';

// Reads large JSON objects, the headers of tensor files, entry by entry.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Maximum nesting of objects and lists in a value: a tensor with its shape. For a deeper value ReadError is thrown. */
const MAX_DEPTH = 2;

/**
 * The entries of a JSON object in the order of its text, each value as text for JSON.parse, so that an object of many
 * megabytes is never parsed at once. Throws ReadError for a duplicate name (JSON.parse would keep the last) and for a
 * value nested deeper than a tensor, SyntaxError if the text is no object; values are not checked further. O(text).
 */
export function* jsonEntries(text: string): Generator<readonly [name: string, value: string], void, void> {
  const names = new Set<string>();
  let position = positionAfter(text, skipSpace(text, 0), OPEN_BRACE);
  if (text.charCodeAt(skipSpace(text, position)) === CLOSE_BRACE) {
    checkEnd(text, skipSpace(text, position) + 1);
    return;
  }
  for (;;) {
    const nameStart = skipSpace(text, position);
    const nameEnd = stringEnd(text, nameStart);
    const name = String(JSON.parse(text.slice(nameStart, nameEnd)));
    if (names.has(name)) throw new ReadError(`header: found '${name}' twice, expected each name once`);
    names.add(name);
    const valueStart = positionAfter(text, skipSpace(text, nameEnd), COLON);
    const valueEnd = endOfValue(text, valueStart, name);
    yield [name, text.slice(valueStart, valueEnd)];
    if (text.charCodeAt(valueEnd) === CLOSE_BRACE) {
      checkEnd(text, valueEnd + 1);
      return;
    }
    position = valueEnd + 1;
  }
}

/** JSON.parse that throws ReadError for a duplicate name at any depth, and for a value nested too deeply. */
export function parseJson(text: string): unknown {
  if (text.charCodeAt(skipSpace(text, 0)) !== OPEN_BRACE) return JSON.parse(text);
  return Object.fromEntries(Array.from(jsonEntries(text), ([name, value]) => [name, parseJson(value)]));
}

/** The position of the comma or brace after a value. */
function endOfValue(text: string, start: number, name: string): number {
  let depth = 0;
  for (let position = start; position < text.length; position++) {
    const c = text.charCodeAt(position);
    if (c === QUOTE) position = stringEnd(text, position) - 1;
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth <= MAX_DEPTH) continue;
      throw new ReadError(
        `header, ${quotedValue(name)}: found objects or lists nested deeper than ${MAX_DEPTH}, expected a tensor`,
      );
    } else if (depth === 0 && (c === COMMA || c === CLOSE_BRACE)) return position;
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
  }
  throw new SyntaxError('found the end inside a value');
}

/** The position after the closing quote of a string. Throws SyntaxError. */
function stringEnd(text: string, start: number): number {
  let position = positionAfter(text, start, QUOTE);
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote < 0) throw new SyntaxError('found the end inside a string');
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote + 1;
    position = quote + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let position = from;
  for (; position < text.length; position++) {
    const c = text.charCodeAt(position);
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
  }
  return position;
}

/** The position after a character that must be at `position`. Throws SyntaxError. */
function positionAfter(text: string, position: number, character: number): number {
  if (text.charCodeAt(position) === character) return position + 1;
  throw new SyntaxError(`found '${text.charAt(position)}', expected '${String.fromCharCode(character)}'`);
}

function checkEnd(text: string, position: number): void {
  if (skipSpace(text, position) < text.length) throw new SyntaxError('found more text after the object');
}
