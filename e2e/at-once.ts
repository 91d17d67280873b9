// Acts on elements that exist only for a moment, and controls the clock of the page.

import { expect, type Page } from '@playwright/test';

/** Hides the page, as if another tab were in front, or shows it again. A run waits while the page is hidden. */
export function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Hides the page as soon as an element exists, before the page can do anything else. */
export function hideAsSoonAsVisible(page: Page, selector: string): Promise<void> {
  return page.evaluate((awaited) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(awaited) === null) return;
      observer.disconnect();
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    }).observe(document.body, { childList: true, subtree: true });
  }, selector);
}

/**
 * Presses a key in the same animation frame in which an element appears with a text that matches `text`. A locator of
 * Playwright takes several round trips between browser and test, during which the page goes on by itself: the element
 * could be gone before the key is pressed.
 */
export async function pressAsSoonAsVisible(page: Page, key: string, selector: string, text = /./): Promise<void> {
  await page.waitForFunction(
    ({ pressed, awaited, words }) => {
      const expected = new RegExp(words);
      if (![...document.querySelectorAll(awaited)].some(({ textContent }) => expected.test(textContent.trim())))
        return false;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, code: pressed, bubbles: true }));
      return true;
    },
    { pressed: key, awaited: selector, words: text.source },
  );
}

/**
 * Clicks the button with a text that matches `name`, in the same animation frame in which both this button and an element
 * `selector` with a text that matches `text` exist; for the same reason as `pressAsSoonAsVisible`. Call it before the action
 * that makes them appear, and await the promise afterwards.
 */
export async function clickAsSoonAsVisible(page: Page, name: RegExp, selector = 'body', text = /./): Promise<void> {
  await page.waitForFunction(
    ({ named, awaited, words }) => {
      const expected = new RegExp(words);
      const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
        new RegExp(named).test(textContent.trim()),
      );
      const isThere = [...document.querySelectorAll(awaited)].some(({ textContent }) =>
        expected.test(textContent.trim()),
      );
      if (!button || !isThere) return false;
      button.click();
      return true;
    },
    { named: name.source, awaited: selector, words: text.source },
  );
}

/** Like `expect.poll`, but advances the page's clock by a step between polls, instead of waiting for real time. */
export function turningClock<T>(page: Page, stepMs: number, read: () => Promise<T>) {
  const turned = async (): Promise<T> => {
    await page.clock.runFor(stepMs);
    return read();
  };
  return expect.poll(turned, { intervals: [50] });
}
