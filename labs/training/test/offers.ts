import type { FactsByPage } from '../../../src/lessons/prepare.ts';
import { TRAINING } from '../place/address.ts';
import { figureFacts } from '../place/lesson-figures.ts';

/** The page's figures for lessons, without its components. */
export const OFFERS: FactsByPage = new Map([[TRAINING.id, { facts: figureFacts }]]);
