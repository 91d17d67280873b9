/**
 * The list of formats for the page: the card of every format, and the names of its kernels. scripts/format-catalog.ts makes it
 * from registry.ts, which only the worker loads.
 */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
