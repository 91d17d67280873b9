/**
 * Planted faults that nothing finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SURVIVORS = {
  'url-rest': 'no test has a window of five numbers in an address',
  'npy-header-bound': 'the header that a test expects to be refused has 2 GiB, far above the bound',
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
