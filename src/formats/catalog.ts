/**
 * The registry as the page sees it: every format's card in the registry's order, with its kernels without their plans.
 * scripts/format-catalog.ts makes it out of the registry, which stays with the worker.
 */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
