import { type RefObject, useLayoutEffect } from 'react';

/**
 * What goes, one after the other, until the sentence is in one line: the quiet parts of these words, then the middle of the
 * breadcrumb. Where that is not enough, the sentence has a second line.
 */
const LESS = ['pruned', 'on', 'a', 'b', 'of', 'middle'];

/** Leaves quiet words out where the sentence is too wide; `data-less` names what was left out, for the style sheet. */
export function useSqueezed(sentence: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const section = sentence.current;
    const line = section?.querySelector<HTMLElement>('.sentence-words');
    if (!section || !line) return;
    const squeeze = (): void => {
      for (let count = 0; count <= LESS.length; count++) {
        section.setAttribute('data-less', LESS.slice(0, count).join(' '));
        if (line.scrollWidth <= line.clientWidth) return;
      }
      section.setAttribute('data-less', [...LESS, 'line'].join(' '));
    };
    squeeze();
    const observer = new ResizeObserver(squeeze);
    observer.observe(section);
    for (const place of line.children) observer.observe(place);
    return () => observer.disconnect();
  }, [sentence]);
}
