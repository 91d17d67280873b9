// Gzip files of several members for tests of readers: readable and broken ones.

import { gzipSync } from 'fflate';

/** For tests: a 1 × 1 matrix of 2 in two members, as `cat a.gz b.gz` joins them. */
const TWO_MEMBERS =
  'H4sIAAAAAAACA1NV9U0sKcqs8E0syk4tUcgFcxSS8/OLUjLzEktSFYpSE3MU0lPzUosSc7gAHSA8TS4AAAAfiwgAAAAAAAIDM1QwVDDkAmIFIy4AnMuK6QwAAAA=';

const text = new TextEncoder();
const packed = (content: string): Uint8Array => gzipSync(text.encode(content), { mtime: 0 });
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const zeros = (count: number): Uint8Array => new Uint8Array(count);

const BANNER = '%%MatrixMarket matrix array real general\n';
const [HEAD, TAIL] = [packed(`${BANNER}1 `), packed('2\n4\n5\n')];
/** The empty member with which bgzip ends a file. */
const EMPTY = packed('');

function withBit(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] ^= 1;
  return changed;
}

/** For tests: gzip files of several members, and the cells of the matrix in each. */
export const READ: readonly (readonly [what: string, bytes: Uint8Array, cells: readonly number[]])[] = [
  ['two members', Uint8Array.from(atob(TWO_MEMBERS), (letter) => letter.charCodeAt(0)), [2]],
  ['members within a line and a number', joined(HEAD, TAIL), [4, 5]],
  ['a last member without content', joined(packed(`${BANNER}1 1\n7\n`), EMPTY), [7]],
  ['one zero behind the end', joined(packed(`${BANNER}1 1\n7\n`), zeros(1)), [7]],
  ['a block of zeros behind the end', joined(packed(`${BANNER}1 1\n7\n`), zeros(40_000)), [7]],
  ['both', joined(HEAD, packed('2\n8\n'), packed('9\n'), EMPTY, zeros(512)), [8, 9]],
  [
    'a member for every line',
    joined(packed(BANNER), packed('1 300\n'), ...Array.from({ length: 300 }, () => packed('6\n'))),
    Array<number>(300).fill(6),
  ],
];

/** For tests: gzip files that are rejected, and why. */
export const REJECTED: readonly (readonly [what: string, bytes: Uint8Array, why: string])[] = [
  [
    'a wrong checksum in the first member',
    joined(withBit(HEAD, HEAD.length - 8), TAIL),
    'a wrong checksum before byte',
  ],
  ['a wrong length in the last member', joined(HEAD, withBit(TAIL, TAIL.length - 4)), 'a wrong checksum'],
  ['a last member that is truncated', joined(HEAD, TAIL.subarray(0, -9)), 'unexpected EOF'],
  ['a last member without its trailer', joined(HEAD, TAIL.subarray(0, -3)), 'a wrong checksum'],
  ['text behind the end', joined(HEAD, TAIL, text.encode('more')), 'invalid gzip data'],
  ['text behind zeros', joined(HEAD, TAIL, zeros(70_000), text.encode('more')), 'other bytes behind its end'],
];
