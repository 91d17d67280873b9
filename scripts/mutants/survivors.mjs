/**
 * Planted faults that nothing finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SURVIVORS = {
  'ec-pair-padding': 'blocks of two rows with deltas of 8 bits have no padding within their segments in any test',
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
