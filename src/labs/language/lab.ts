import type { Lab } from '../../kit/lab.ts';
import { languagePlace } from './place/place.ts';

export const language: Lab = { places: [languagePlace] };
