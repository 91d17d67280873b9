import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe objects to, one line for each element, so that a failure can be read. */
export async function objections(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 160)}`));
}

/** The same in light and in dark: the page is not opened twice, only its colours change. */
export async function objectionsInEither(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
    // Half way between two themes a colour has the contrast of neither.
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map(({ finished }) => finished.catch(() => {})),
      ),
    );
    found.push(...(await objections(page)).map((objection) => `${colorScheme}: ${objection}`));
  }
  return found;
}
