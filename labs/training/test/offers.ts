import type { FactsByPage } from '../../../src/lessons/prepare.ts';
import { TRAINING } from '../page/address.ts';
import { figureFacts } from '../page/lesson-figures.ts';

/** The facts that the page Training provides to lessons, without its components. */
export const OFFERS: FactsByPage = new Map([[TRAINING.id, { facts: figureFacts }]]);
