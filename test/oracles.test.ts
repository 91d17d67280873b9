// The error message for a format without an entry in a test's table.

import { expect, it } from 'vitest';
import { oracleOf } from './oracles.ts';

it('a missing oracle is reported with what is missing and where it belongs', () => {
  expect(oracleOf({ csr: 1 }, 'csr', 'NOTES in a.test.ts', 'notes')).toBe(1);
  expect(() => oracleOf({ csr: 1 }, 'coo', 'NOTES in a.test.ts', 'what the padding is made of')).toThrow(
    'coo: found no entry in NOTES in a.test.ts, expected one that computes what the padding is made of, without the code that is tested',
  );
  // A name that every object inherits is not an entry of the table.
  expect(() => oracleOf({}, 'constructor', 'NOTES in a.test.ts', 'notes')).toThrow('constructor: found no entry');
});
