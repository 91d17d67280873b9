import { clip } from '../bounds/quote.ts';
import { SparseScopeError } from '../errors.ts';

/** An override, a WGSL constant that is set when the pipeline is made, as a shader declares it. */
export interface DeclaredOverride {
  readonly name: string;
  /** u32, i32, f32, f16 or bool; '' if none is written */
  readonly type: string;
  /** its default, as written; '' if it must be set */
  readonly initial: string;
  /** the comment lines right above it */
  readonly meaning: string;
}

const OVERRIDE = /^\s*(?:@id\(\d+\)\s*)?override\s+(\w+)\s*(?::\s*(\w+)\s*)?(?:=([^;]*))?;/;

/** The overrides that the WGSL `code` of a shader declares, in its order. O(characters). */
export function declaredOverrides(code: string): readonly DeclaredOverride[] {
  const lines = code.split('\n');
  return lines.flatMap((line, i) => {
    const match = OVERRIDE.exec(line);
    if (!match) return [];
    const [, name, type = '', initial = ''] = match;
    return [{ name, type, initial: initial.trim(), meaning: commentAbove(lines, i) }];
  });
}

/** The comment lines right above a line, as one text. */
export function commentAbove(lines: readonly string[], line: number): string {
  let first = line;
  // '// ---- PATH' begins a file in a composed shader (gpu/compose.ts): it is not about the line.
  while (first > 0 && /^\/\/(?! ----)/.test(lines[first - 1])) first--;
  return lines
    .slice(first, line)
    .map((text) => text.replace(/^\/+\s*/, ''))
    .join(' ');
}

/**
 * The values of a shader's overrides: the `givenValues`, and the defaults of the others. An override is omitted if its
 * default is more than a bool, or numbers and earlier overrides with + - * / and parentheses.
 */
export function overrideValues(
  code: string,
  givenValues: Readonly<Record<string, number>>,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { name, type, initial } of declaredOverrides(code)) {
    const value = Object.hasOwn(givenValues, name) ? givenValues[name] : valueOf(initial, type, values);
    if (value !== null) values.set(name, value);
  }
  return values;
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)[uif]?\b|([A-Za-z_]\w*)|([-+*/()]))/y;

/** Maximum depth of nested parentheses and signs; deeper expressions are omitted. */
const MAX_DEPTH = 100;

/**
 * The value of an expression; null if it is not a supported one. `earlierValues`: those of the overrides before it. A recursive
 * descent: a sum of products of atoms, which are numbers, names, negated atoms, or sums in parentheses.
 */
function valueOf(text: string, type: string, earlierValues: ReadonlyMap<string, number>): number | null {
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  const tokens: (number | string)[] = [];
  const token = new RegExp(TOKEN);
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) return null;
    const [, number, name, sign] = match;
    const value = name === undefined ? Number(number) : earlierValues.get(name);
    if (sign === undefined && value === undefined) return null;
    tokens.push(sign ?? value ?? 0);
  }
  const isWhole = type !== 'f32' && type !== 'f16';
  let position = 0;
  let depth = 0;
  const atom = (): number => {
    const next = tokens[position++];
    if (next !== '(' && next !== '-') return typeof next === 'number' ? next : Number.NaN;
    if (++depth > MAX_DEPTH) return Number.NaN;
    const value = next === '-' ? -atom() : sum();
    depth--;
    return next === '-' || tokens[position++] === ')' ? value : Number.NaN;
  };
  const product = (): number => {
    let value = atom();
    for (let sign = tokens[position]; sign === '*' || sign === '/'; sign = tokens[position]) {
      position++;
      const right = atom();
      value = sign === '*' ? value * right : isWhole ? Math.trunc(value / right) : value / right;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (let sign = tokens[position]; sign === '+' || sign === '-'; sign = tokens[position]) {
      position++;
      const right = product();
      value = sign === '+' ? value + right : value - right;
    }
    return value;
  };
  const value = sum();
  return position === tokens.length && Number.isFinite(value) ? value : null;
}

/**
 * The rows that each workgroup of a shader handles: the override ROWS_PER_WORKGROUP, which decides how many workgroups
 * are dispatched. Throws SparseScopeError if the shader does not declare it, or its value is not a whole number from 1.
 */
export function rowsPerWorkgroup(path: string, code: string, givenValues: Readonly<Record<string, number>>): number {
  const declared = declaredOverrides(code).find(({ name }) => name === ROWS_PER_WORKGROUP);
  const expected = `expected 'override ${ROWS_PER_WORKGROUP}: u32'`;
  if (!declared) throw new SparseScopeError(`${path}: found no override ${ROWS_PER_WORKGROUP}, ${expected}`);
  const value = overrideValues(code, givenValues).get(ROWS_PER_WORKGROUP);
  if (value !== undefined && Number.isInteger(value) && value >= 1) return value;
  throw new SparseScopeError(
    `${path}, ${ROWS_PER_WORKGROUP}: found '${value ?? clip(declared.initial)}', expected a whole number of at least 1, or one made of other overrides with + - * and /`,
  );
}

const ROWS_PER_WORKGROUP = 'ROWS_PER_WORKGROUP';
