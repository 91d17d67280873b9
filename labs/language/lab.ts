import type { Lab } from '../../src/kit/lab.ts';
import { languagePage } from './page/page.ts';

/** The Language lab, as the page loads it: one page, on which a language model writes, dense and pruned. */
export const language: Lab = { pages: [languagePage] };
