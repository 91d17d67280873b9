// loopWords, the independent count of loop keywords with which the fuzzer checks loop budgets.

import { expect, it } from 'vitest';
import { loopWords } from './wgsl.ts';

it.each([
  ['for (;;) { while a { loop { } } }', 3],
  ['forward loops a_for /* loop /* for */ while */ loop', 1],
  ['// loop\nloop // for\u2028while', 2],
  ['fnloop', 0],
  ['fn\u200eloop', 1],
  ['/* loop', 0],
])('loopWords counts loop keywords of %j outside of comments: %d', (program, count) => {
  expect(loopWords(program)).toBe(count);
});
