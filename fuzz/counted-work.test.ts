// The step counter that the fuzzer inserts into programs.

import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withCountedWork } from './counted-work.ts';

/** What a program returns, and the number of its steps. */
function run(body: string): { readonly answer: unknown; readonly steps: number } {
  const counting: { fuzzSteps?: Float64Array } = {};
  const answer: unknown = runInNewContext(`${withCountedWork(`function main() { ${body} }`)} main();`, counting);
  return { answer, steps: counting.fuzzSteps?.[0] ?? 0 };
}

test.each([
  ['a call', 'return 3;', 3, 1],
  ['a loop with a block', 'let n = 0; for (let i = 0; i < 5; i++) { n += i; } return n;', 10, 6],
  ['loops without one', 'let n = 0; for (const a of [1, 2]) for (const b in { x: 1, y: 2 }) n += a; return n;', 6, 7],
  [
    'while, do and a label',
    'let n = 0; all: while (true) { do { if (++n > 3) break all; } while (true); }; return n;',
    4,
    6,
  ],
  ['arrows without a block', 'return [1, 2].map((a) => (b) => a + b).map((add) => add(1));', [2, 3], 7],
  ['an arrow that makes an object', 'return [1].map((a) => ({ a }));', [{ a: 1 }], 2],
  ['a method and a generator', 'class A { *b() { yield 1; yield 2; } } return [...new A().b()];', [1, 2], 2],
  ['an arrow at the end of a loop', 'let f; for (let i = 0; i < 2; i++) f = () => i; return f();', 1, 4],
])('an instrumented program with %s returns the same result, and counts its steps', (_, body, answer, steps) => {
  expect(run(body)).toEqual({ answer, steps });
});
