/** The formats as the page lists them: cards and kernels' names, from registry.ts by scripts/format-catalog.ts. */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
