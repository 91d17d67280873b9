import { expect, type Page } from '@playwright/test';
import { written } from '../test/compat/written.ts';

/** An address in which every `x.NAME` has a wrong value, and for each name the values that the page's message lists. */
interface WrongChoices {
  readonly link: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/**
 * Checks that pages read every choice in addresses of version 0.2.0: a wrong value gives a message with the expected
 * values, and an address that 0.2.0 wrote gives no message.
 */
export async function expectChoices(page: Page, positions: readonly string[]): Promise<void> {
  // Records every message about a choice that appears on the page.
  await page.addInitScript(() => {
    const texts: string[] = [];
    Reflect.set(window, 'said', texts);
    const find = /x\.[\w-]+: found '[^']*', expected [^;]*;/g;
    new MutationObserver(() => texts.push(...(document.body?.innerText.match(find) ?? []))).observe(document, {
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
  for (const position of positions) {
    const [link] = links[position];
    await show(link);
    await expect(page.locator('#content:not([aria-busy="true"])')).toBeVisible();
    // Waits two frames: messages appear when the page is first drawn.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(new URL(page.url()).hash).toBe(link);
    expect(await page.evaluate(() => Reflect.get(window, 'said') as string[])).toEqual([]);
  }
  for (const { link, names } of positions.flatMap((position) => choices[position])) {
    await show(link);
    for (const [name, words] of Object.entries(names)) {
      const expected = async (): Promise<string> => {
        const texts = await page.evaluate(() => Reflect.get(window, 'said') as string[]);
        const narration = texts.findLast((text) => text.startsWith(`x.${name}: found `)) ?? '';
        return narration.slice(narration.indexOf('expected ')).replaceAll(/[,;]/g, ' ');
      };
      await expect.poll(expected, `${link}: x.${name}`).not.toBe('');
      for (const word of words) await expect.poll(expected, `${link}: x.${name}`).toContain(` ${word} `);
    }
  }
}
