// Checks of the choices that pages read from addresses of earlier versions.

import { expect, type Page } from '@playwright/test';
import { written } from '../test/compat/written.ts';

/**
 * An address in which choices of a page, `x.NAME=VALUE`, have wrong values. `names`: by NAME, the values that the message about
 * it must list as expected.
 */
interface WrongChoices {
  readonly link: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/**
 * Checks that pages read every choice in addresses of version 0.2.0 (test/compat): a wrong value gives a message with the
 * expected values, and an address that 0.2.0 wrote gives no message. `pageIds`: the pages, such as 'measure'.
 */
export async function expectChoices(page: Page, pageIds: readonly string[]): Promise<void> {
  // Records every message about a choice that appears on the page.
  await page.addInitScript(() => {
    const texts: string[] = [];
    Reflect.set(window, 'choiceMessages', texts);
    const message = /x\.[\w-]+: found '[^']*', expected [^;]*;/g;
    new MutationObserver(() => texts.push(...(document.body?.innerText.match(message) ?? []))).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  const { choices, links } = written('links.json') as {
    readonly choices: Readonly<Record<string, readonly WrongChoices[]>>;
    readonly links: Readonly<Record<string, readonly string[]>>;
  };
  const show = async (link: string): Promise<void> => {
    if (page.url() === 'about:blank') await page.goto(`./${link}`);
    else await page.evaluate((hash) => (location.hash = hash), link);
  };
  // Addresses of 0.2.0 give no message and stay unchanged.
  for (const pageId of pageIds) {
    const [link] = links[pageId];
    await show(link);
    await expect(page.locator('#content:not([aria-busy="true"])')).toBeVisible();
    // Waits two frames: messages appear when the page is first drawn.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(new URL(page.url()).hash).toBe(link);
    expect(await page.evaluate(() => Reflect.get(window, 'choiceMessages') as string[])).toEqual([]);
  }
  for (const { link, names } of pageIds.flatMap((pageId) => choices[pageId])) {
    await show(link);
    for (const [name, values] of Object.entries(names)) {
      /** The part of the last message about the choice that lists the expected values, without punctuation. */
      const expectedPart = async (): Promise<string> => {
        const texts = await page.evaluate(() => Reflect.get(window, 'choiceMessages') as string[]);
        const message = texts.findLast((text) => text.startsWith(`x.${name}: found `)) ?? '';
        return message.slice(message.indexOf('expected ')).replaceAll(/[,;]/g, ' ');
      };
      await expect.poll(expectedPart, `${link}: x.${name}`).not.toBe('');
      for (const value of values) await expect.poll(expectedPart, `${link}: x.${name}`).toContain(` ${value} `);
    }
  }
}
