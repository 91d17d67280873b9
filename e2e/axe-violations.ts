import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

// Accessibility checks of a page by axe-core, in light and dark colours.

/** The rules of axe that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

interface Scope {
  /** CSS selector of the only part of the page that is examined */
  readonly within?: string;
  readonly rules?: readonly string[];
}

/** The violations that axe finds, as one line for each element: the rule and the element's HTML. */
export async function axeViolations(page: Page, { within, rules }: Scope = {}): Promise<readonly string[]> {
  // All of this saves time. `setLegacyMode`: axe runs in the page alone, without a second page that merges the results of
  // frames. `resultTypes`: it details only violations; details of passed rules take longer than the checks. `preload`: it
  // does not fetch every style sheet for a rule that is off. `axeSource`: its half a megabyte of code is injected into a
  // page only once; later calls inject ';' instead.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined;
  const axe = new AxeBuilder({ page, ...(axeSource && { axeSource }) }).setLegacyMode(true);
  axe.options({ resultTypes: ['violations'], preload: false });
  if (within !== undefined) axe.include(within);
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 160)}`));
}

/** Sets the colour scheme that the page prefers, light or dark, and ends the transitions to the new colours. */
export async function setColorScheme(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
  // During a transition, a colour has the contrast of neither theme. Transitions are ended rather than awaited: they advance
  // only with drawn frames, and a page in the background may draw none.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  });
}

/** The violations in light and in dark colours, one line each: 'dark: color-contrast: <p ...'. The second scheme is checked by the rules about colours alone. */
export async function axeViolationsInThemes(
  page: Page,
  scope: Scope = {},
  schemes: readonly Scheme[] = SCHEMES,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [i, colorScheme] of schemes.entries()) {
    await setColorScheme(page, colorScheme);
    const schemeScope = i === 0 ? scope : { ...scope, rules: COLOUR_RULES };
    lines.push(...(await axeViolations(page, schemeScope)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return lines;
}
