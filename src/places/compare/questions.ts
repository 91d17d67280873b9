import type { ComponentType } from 'react';
import type { Question } from './address.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';

/** Props of every question's page. */
export interface QuestionProps {
  /** the page is wide enough for columns next to the answer */
  readonly wide: boolean;
}

export interface QuestionPlace {
  readonly question: Question;
  /** title of its tab */
  readonly title: string;
  readonly Page: ComponentType<QuestionProps>;
}

/** The questions in tab order. */
export const QUESTION_PLACES: readonly QuestionPlace[] = [
  {
    question: '',
    title: 'All formats',
    Page: lazyPart(async () => (await import('./AllFormats.tsx')).AllFormats),
  },
  {
    question: 'windows',
    title: 'Windows',
    Page: lazyPart(async () => (await import('../../papers/slidesparse/WindowsPage.tsx')).WindowsPage),
  },
];

/** A question's index in tab order. */
export function placeOf(question: Question): QuestionPlace {
  return QUESTION_PLACES.find((place) => place.question === question) ?? QUESTION_PLACES[0];
}
