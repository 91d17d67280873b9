// The tab Quality, in the built page.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

test(
  'the tab Quality shows recorded points, measures more, and a point opens its text',
  scheduled(
    'tales are measured on the CPU',
    'labs/language/page/quality/measuring.test.ts, labs/language/page/quality/points.test.ts and labs/language/test/quality-drawings.test.ts',
  ),
  async ({ page }) => {
    await page.goto('./#2/language/quality?x.model=tales-small');
    await expect(page.getByRole('heading', { name: /Even dense, few tales are free of errors/ })).toBeVisible();
    const curve = page.getByRole('img', { name: /^Loss above the best possible \(bits per byte\), by density/ });
    await expect(curve).toBeVisible();
    await expect(page.locator('#language-aside')).toContainText('400 held-out tales');

    await page.getByRole('button', { name: 'Measure this density' }).click();
    await expect(page.getByText(/2 points measured here, at least 6 tales each/)).toBeVisible({ timeout: 120_000 });
    await page.getByRole('button', { name: 'cancel' }).click();
    await expect(page.getByRole('button', { name: 'Measure this density' })).toBeVisible();
    // Existing results stay: the dense model and the selection.
    await expect(page.getByText(/2 points measured here/)).toBeVisible();

    const unbroken = page.getByRole('img', { name: /^Unbroken tales, by density/ });
    await expect(unbroken).toHaveCount(0);
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    await press('details');
    await press('unbroken tales');
    await expect(unbroken).toBeVisible();
    await press('quality by bytes');
    await expect(
      page.getByRole('img', { name: /^Loss above the best possible \(bits per byte\), by bytes/ }),
    ).toBeVisible();
    await press('details');
    await expect(unbroken).toHaveCount(0);

    await page.getByRole('button', { name: /^Wanda, 80\s%\sleft: / }).click();
    await expect(page).toHaveURL(/prune=wanda/);
    await expect(page).toHaveURL(/0\.8/);
  },
);
