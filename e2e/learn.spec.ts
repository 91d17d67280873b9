import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a lesson at ${size.width} px: a wrong answer is told where it leaves the encoder, a right one is kept`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto('./#1/learn');
    await expect(page.getByRole('button', { name: /^Start: / })).toBeVisible();
    const objections = async (): Promise<readonly string[]> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`);
    };
    expect(await objections()).toEqual([]);

    await page.getByRole('button', { name: 'Small gaps', exact: true }).click();
    await expect(page.getByRole('article', { name: 'Small gaps' })).toBeVisible();
    await page.goto('./#1/learn/small-gaps?p=9');
    const question = page.locator('[data-paragraph="9"]');
    await expect(question).toBeInViewport();
    // Rows of two non-zeros, each with a padding zero before it.
    await question.getByRole('textbox', { name: /^you/ }).fill('2');
    await question.getByRole('button', { name: 'Check' }).click();
    await expect(question.getByRole('status')).toContainText('only the non-zeros are stored');
    await expect(page.getByRole('region', { name: 'Figure' }).locator('[aria-live="polite"]')).toContainText(
      'padding zero',
    );
    expect(await objections()).toEqual([]);

    await question.getByRole('button', { name: 'Another one' }).click();
    await expect(question.getByRole('button', { name: 'Check' })).toBeVisible();
    await expect(question.getByRole('textbox', { name: /^you/ })).toHaveValue('');
    await page.goto('./#1/learn');
    await expect(page.getByText(/1 of \d+ questions answered/).first()).toBeVisible();
  });
}

test('keys go through a lesson, and the address follows', async ({ page }) => {
  await page.goto('./#1/learn/small-gaps?');
  await expect(page.getByRole('article', { name: 'Small gaps' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.locator('[data-paragraph="3"]')).toHaveAttribute('aria-current', 'true');
  await expect(page).toHaveURL(/#1\/learn\/small-gaps\?.*p=3/);
  const step = page.getByRole('slider', { name: 'Step' });
  const before = Number(await step.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowRight');
  await expect(step).toHaveAttribute('aria-valuenow', String(before + 1));

  await page.goto('./#1/learn/nothing?');
  await expect(page.getByRole('alert')).toContainText('found no lesson ‘nothing’');
});
