import type { FactsByPlace } from '../../../src/lessons/prepare.ts';
import { TRAINING } from '../place/address.ts';
import { figureFacts } from '../place/lesson-figures.ts';

/** What the place offers to lessons, without its page. */
export const OFFERS: FactsByPlace = new Map([[TRAINING.id, { facts: figureFacts }]]);
