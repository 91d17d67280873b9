import type { LearnFields } from './address.ts';
import { useApp } from '../../kit/app-context.ts';
import { copyText } from '../../kit/controls/CopyButton.tsx';

/**
 * The address of a lesson without the open matrix: #2/learn/small-gaps?p=4. `set`: the questions of a user's set, as
 * text; else ''.
 */
export function lessonHash({ lesson, paragraph, set }: LearnFields): string {
  const pairs = [
    ...(set === '' ? [] : [`set=${encodeURIComponent(set)}`]),
    ...(paragraph > 1 ? [`p=${paragraph}`] : []),
  ];
  return `#2/learn/${lesson}?${pairs.join('&')}`;
}

/** Returns a function that copies a link to a lesson and announces the copying. */
export function useCopyLink(): (state: LearnFields) => void {
  const { announce } = useApp();
  return (state) => {
    const address = new URL(lessonHash(state), location.href).href;
    void copyText(announce, address, { what: 'Link', otherwise: `the link is ${address}` });
  };
}
