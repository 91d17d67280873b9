/**
 * All formats for the page, without the code that encodes or multiplies; built by scripts/format-catalog.ts. Speeds and
 * bytes are relative to the reference. The baseline is the usual sparse format. The story of the first is shown first.
 */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
