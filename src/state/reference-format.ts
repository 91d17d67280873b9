import { referenceFormat } from '../formats/catalog.ts';

/** Every other format is compared with this one, so that it is in every run. */
export const REFERENCE_FORMAT = referenceFormat.id;
