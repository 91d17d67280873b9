import { expect, type Page } from '@playwright/test';
import { written } from '../test/compat/written.ts';

/** An address in which every `x.NAME` is wrong, and the words that the page then says it expects, for each name. */
interface WrongChoices {
  readonly link: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/**
 * Finds that pages read every choice that addresses of version 0.2.0 have: of a wrong text they say what they expect, and
 * of an address that 0.2.0 wrote nothing.
 */
export async function expectChoices(page: Page, positions: readonly string[]): Promise<void> {
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
  // Right texts are shown without a word, at an address that stays as it was.
  for (const position of positions) {
    const [link] = links[position];
    await show(link);
    await expect(page.locator('#content:not([aria-busy="true"])')).toBeVisible();
    // Two frames: what is wrong is said with the first drawing of a page.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(new URL(page.url()).hash).toBe(link);
    expect(await page.evaluate(() => Reflect.get(window, 'said') as string[])).toEqual([]);
  }
  for (const { link, names } of positions.flatMap((position) => choices[position])) {
    await show(link);
    for (const [name, words] of Object.entries(names)) {
      const expected = async (): Promise<string> => {
        const texts = await page.evaluate(() => Reflect.get(window, 'said') as string[]);
        const narration = texts.findLast((one) => one.startsWith(`x.${name}: found `)) ?? '';
        return narration.slice(narration.indexOf('expected ')).replaceAll(/[,;]/g, ' ');
      };
      await expect.poll(expected, `${link}: x.${name}`).not.toBe('');
      for (const word of words) await expect.poll(expected, `${link}: x.${name}`).toContain(` ${word} `);
    }
  }
}
