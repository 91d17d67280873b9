/**
 * Planted faults that nothing finds, and why.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SURVIVORS = {};
