// The figure of a lesson in an address: which texts or which measured models it shows.

import { type AppDocument, pageState } from '../../../../src/state/index.ts';
import { LANGUAGE_FIELDS } from '../address.ts';
import { languageModelChoice } from '../model-choice.ts';

/**
 * What a lesson's figure compares: bits per byte, tales that break no law (tales/judge.ts), or laws that break first.
 */
const QUANTITIES = ['bits', 'unbroken', 'laws'] as const;
export type ComparedQuantity = (typeof QUANTITIES)[number];

/** A figure of a lesson: two texts, or measured models side by side. */
export interface LessonAddress {
  /** id of a shipped model */
  readonly model: string;
  /** null: two texts. `rows`: names of models, such as 'wanda-60' (measured-models.ts) */
  readonly compared: { readonly quantity: ComparedQuantity; readonly rows: readonly string[] } | null;
}

/** The figure for a page's address: with `x.lesson=bits:dense,wanda-60` a comparison, else two texts. Throws Error. */
export function lessonAddress(document: AppDocument): LessonAddress {
  const { lesson = '', model = '' } = pageState(document, LANGUAGE_FIELDS).choices;
  const { id } = languageModelChoice(document.source, model).model;
  if (lesson === '') return { model: id, compared: null };
  const [quantityText, rows = ''] = lesson.split(':', 2);
  const quantity = QUANTITIES.find((name) => name === quantityText);
  if (!quantity || rows === '') {
    throw new Error(
      `x.lesson: found '${lesson.slice(0, 60)}', expected ${QUANTITIES.join(', ')}, ':' and names of models`,
    );
  }
  return { model: id, compared: { quantity, rows: rows.split(',') } };
}
