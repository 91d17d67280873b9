import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules of axe that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

interface Scope {
  /** CSS selector of the only part of the page that is examined */
  readonly within?: string;
  readonly rules?: readonly string[];
}

/** What axe objects to, one line for each element, so that a failure can be read. */
export async function objections(page: Page, { within, rules }: Scope = {}): Promise<readonly string[]> {
  // Legacy: axe runs in the page alone. Otherwise it opens a second page, only to put the results of frames together.
  // It writes down nothing but violations: everything else it finds takes it longer than the examination. Without `preload`
  // it does not fetch and read every style sheet for a rule that is off.
  // Its half a megabyte of code is put into a page once.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined;
  const axe = new AxeBuilder({ page, ...(axeSource && { axeSource }) }).setLegacyMode(true);
  axe.options({ resultTypes: ['violations'], preload: false });
  if (within !== undefined) axe.include(within);
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 160)}`));
}

/** Changes the page's colours at once. */
export async function changeColours(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
  // Half way between two themes a colour has the contrast of neither. Transitions are ended rather than awaited: they move
  // with the frames that are drawn, and a page that nobody looks at may draw none.
  await page.evaluate(() => {
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  });
}

/** The same in light and in dark: the page is not opened twice, only its colours change, and only they are examined again. */
export async function objectionsInEither(
  page: Page,
  scope: Scope = {},
  schemes: readonly Scheme[] = SCHEMES,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [i, colorScheme] of schemes.entries()) {
    await changeColours(page, colorScheme);
    const request = i === 0 ? scope : { ...scope, rules: COLOUR_RULES };
    found.push(...(await objections(page, request)).map((objection) => `${colorScheme}: ${objection}`));
  }
  return found;
}
