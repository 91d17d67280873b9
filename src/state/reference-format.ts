import { referenceFormat } from '../formats/catalog.ts';

/** Id of the format that all others are compared with: every benchmark run includes it. */
export const REFERENCE_FORMAT = referenceFormat.id;
