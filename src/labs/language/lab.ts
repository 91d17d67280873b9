import type { Lab } from '../../kit/lab.ts';
import { languagePlace } from './place/place.ts';

/** The lab Language on the page: one place. */
export const language: Lab = { places: [languagePlace] };
