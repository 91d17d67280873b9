import { referenceFormat } from '../formats/catalog.ts';

/** The format that every other one is compared with, so that it is in every run. */
export const REFERENCE_FORMAT = referenceFormat.id;
