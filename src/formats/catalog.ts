/** All formats for the page, without the code that encodes or multiplies; built by scripts/format-catalog.ts. */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
