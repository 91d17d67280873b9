// Counts the controls and words of a page.

import { expect, type Page } from '@playwright/test';

/** The numbers of controls and of visible words on a page. */
export interface Counts {
  readonly controls: number;
  readonly words: number;
}

/** Returns the counts once the page has loaded its contents: when two consecutive counts are equal. */
export async function settledCounts(page: Page): Promise<Counts> {
  // Contents that load late add words. They have loaded once the headline exists and no part is marked as busy.
  const headline = 'h2[aria-busy="false"], .answer-text, .narration:not(:empty), pre';
  await expect(page.getByRole('main').locator(headline).first()).toBeAttached();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  let counts: Counts = { controls: 0, words: 0 };
  await expect
    .poll(async () => {
      const before = counts;
      counts = await countsOf(page);
      return counts.words > 20 && counts.controls === before.controls && counts.words === before.words;
    })
    .toBe(true);
  return counts;
}

/** Counts in the main part of the page, including what must be scrolled to; without text for screen readers only. */
function countsOf(page: Page): Promise<Counts> {
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
