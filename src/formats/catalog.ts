/** The formats as the page lists them: texts, parameters and kernels without plans, from scripts/format-catalog.ts. */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
