/**
 * All formats for the page, without the code that encodes or multiplies: scripts/format-catalog.ts makes them from
 * registry.ts. Speeds and bytes are relative to `referenceFormat`; `baselineFormat` is the usual sparse format;
 * `firstFormat` is the format whose animation the page shows first.
 */
export { baselineFormat, catalog as formats, firstFormat, referenceFormat } from 'virtual:format-catalog';
