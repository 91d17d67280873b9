import { expect, type Page } from '@playwright/test';

/** What can be pressed, and words. */
export interface Counts {
  readonly controls: number;
  readonly words: number;
}

/** Both once two counts are the same and the page shows something, so that nothing is still on its way. */
export async function settledCounts(page: Page): Promise<Counts> {
  // What is late adds words: none of it is missing any more once nothing is announced as busy and the answer is there.
  const there = 'h2[aria-busy="false"], .answer-text, .narration:not(:empty), pre';
  await expect(page.getByRole('main').locator(there).first()).toBeAttached();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  let found: Counts = { controls: 0, words: 0 };
  await expect
    .poll(async () => {
      const before = found;
      found = await countsOf(page);
      return found.words > 20 && found.controls === before.controls && found.words === before.words;
    })
    .toBe(true);
  return found;
}

/** Both in the main part of the page, above and below the lower edge of the screen; words for screen readers alone are none. */
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
