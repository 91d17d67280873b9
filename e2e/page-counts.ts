import type { Page } from '@playwright/test';

/** What can be pressed, and words. */
export interface Counts {
  readonly controls: number;
  readonly words: number;
}

/** Both in the main part of the page, above and below the lower edge of the screen; words for screen readers alone are none. */
export function countsOf(page: Page): Promise<Counts> {
  return page.getByRole('main').evaluate((main) => {
    const isSeen = (element: Element | null): boolean =>
      element !== null &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('.unseen, .skip-link') === null;
    const controls = [
      ...main.querySelectorAll(
        'a[href], button, input, select, summary, textarea, [role="slider"], [role="button"], [tabindex="0"]',
      ),
    ];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let text = '';
    while (walker.nextNode()) if (isSeen(walker.currentNode.parentElement)) text += ` ${walker.currentNode.nodeValue}`;
    return {
      controls: controls.filter(isSeen).length,
      words: text.split(/\s+/).filter((word) => /\w/.test(word)).length,
    };
  });
}
