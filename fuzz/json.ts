// Mutations of JSON values for the fuzzer, and smaller candidates for delta debugging.

import type { Random } from '../src/core/number/random.ts';
import { rangesToRemove, pick } from './pieces.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Returns every position in a nested value, as its container and key. */
function positionsOf(value: Json, into: (readonly [holder: Json[] | { [key: string]: Json }, key: string])[] = []) {
  if (typeof value !== 'object' || value === null) return into;
  for (const key of Object.keys(value)) {
    into.push([value, key]);
    positionsOf((value as { [key: string]: Json })[key], into);
  }
  return into;
}

/** Modifies `value` and returns it: one to five of its parts are removed, repeated, or replaced by another or a hostile part. */
export function mutatedJson(random: Random, value: Json, hostile: readonly ((random: Random) => Json)[]): Json {
  for (let changes = 1 + random.below(5); changes > 0; changes--) {
    const positions = positionsOf(value);
    if (positions.length === 0) break;
    const [holder, key] = pick(random, positions);
    const record = holder as { [key: string]: Json };
    const kind = random.below(8);
    if (kind === 0 && Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (kind === 0) delete record[key];
    else if (kind === 1 && Array.isArray(holder)) holder.push(structuredClone(record[key]));
    else if (kind === 2) {
      const [otherHolder, otherKey] = pick(random, positions);
      record[key] = structuredClone((otherHolder as { [key: string]: Json })[otherKey]);
    } else if (kind === 3 && typeof record[key] === 'number') {
      record[key] = pick(random, [0, record[key] * 2, record[key] + 1, record[key] / 1e6, 1e308]);
    } else record[key] = pick(random, hostile)(random);
  }
  return value;
}

/**
 * Smaller candidates for delta debugging: of JSON, one element of a list alone, or the value with one list element
 * removed; of any other text, the text without a range.
 */
export function* smallerJson(text: string): Iterable<string> {
  let value: Json | undefined;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    value = undefined;
  }
  if (value === undefined) {
    for (const [from, to] of rangesToRemove(text.length)) yield text.slice(0, from) + text.slice(to);
    return;
  }
  if (Array.isArray(value)) for (const element of value) yield JSON.stringify(element);
  const positions = positionsOf(value);
  for (let i = 0; i < positions.length; i++) {
    // Properties of objects are not removed: each candidate needs a slow copy, and most positions are properties.
    if (!Array.isArray(positions[i][0])) continue;
    const copy = JSON.parse(text) as Json;
    const [holder, key] = positionsOf(copy)[i];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    yield JSON.stringify(copy);
  }
}

/** Texts that mutations insert into JSON text to break its syntax. */
export const JSON_PIECES: readonly string[] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  '1e999',
  '-1',
  '\\u0000',
  '"__proto__":',
  '\u0000',
  '1',
  ' ',
];

/** Returns the number 1 inside `depth` nested lists. */
export function nestedLists(depth: number): Json {
  let nested: Json = 1;
  for (let i = depth; i > 0; i--) nested = [nested];
  return nested;
}
