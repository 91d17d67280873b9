/**
 * Planted faults that nothing finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SURVIVORS = {
  'url-rest': 'no test has a window of five numbers in an address',
  'ec-pair-padding': 'blocks of two rows with deltas of 8 bits have no padding within their segments in any test',
  'macko-outside': 'no test decodes an entry in the column right behind the last',
  'macko-tail-check': 'no test has exactly the first value behind the last entry set',
  'bytes-of-gemm': 'no test has a device whose workgroup memory lies between the two numbers',
  'bytes-of-lane': 'no test has a device whose workgroup memory lies between the two numbers',
  'queue-retry': 'no test tries again after the engine died as often as it may',
  'pruning-stale': 'no test opens another matrix while the ranks of the whole one are on their way',
  'pruning-region': 'no test moves the window while the ranks of the same pruning are held',
  'first-window-stale': 'no test opens another matrix while the cells of the first look are on their way',
  'window-entry': 'no test has an entry exactly behind the first columns',
  'twell-lost': 'no test of a whole block has a tile that loses exactly one entry',
};

/**
 * Planted faults that only `npm run test:all` finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const FOUND_LATER = {
  '0103-15': 'src/formats/choices.gpu.test.ts tries one kernel of each format every time, and another one of csr',
  '0103-16': 'src/formats/choices.gpu.test.ts tries one kernel of each format every time, and another one of macko',
};
