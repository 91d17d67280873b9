/**
 * Planted faults that nothing finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SURVIVORS = {};

/**
 * Planted faults that only `npm run test:all` finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const FOUND_LATER = {};
