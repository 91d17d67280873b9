// The lesson about pruned models, in the built page.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolationsInTestAll } from '../../../e2e/axe-violations-in-test-all.ts';

test(
  'a lesson about a model: the figure waits for an answer, the recording determines it, and the model can be measured here',
  scheduled(
    'twelve tales are written on the CPU',
    'labs/language/page/lesson/lesson.test.ts and src/lessons/without-answer.test.ts',
  ),
  async ({ page }) => {
    await page.goto('./#2/learn/how-much-can-a-model-forget');
    const figure = page.getByRole('region', { name: 'Figure' });
    await expect(figure).toContainText('This text was recorded.');
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    const question = page.locator('[data-paragraph]').filter({ hasText: 'which breaks this model?' });
    await page.goto(`./#2/learn/how-much-can-a-model-forget?p=${await question.getAttribute('data-paragraph')}`);
    await expect(figure.getByRole('listitem')).toHaveText([/best possible/, '6:8?', '2:4?']);
    await question.getByRole('radio', { name: '6:8' }).check();
    await question.getByRole('button', { name: 'Check' }).click();
    await expect(question.getByRole('status')).toContainText('Not quite. You may think');
    await expect(figure.getByRole('listitem').last()).toHaveText(/^2:41\.27/);
    // Of twelve tales: much worse than dense, for any tales.
    await expect(figure.getByRole('listitem').last()).toHaveText(/here [1-9]\.\d{4}$/, { timeout: 120_000 });
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    await question.getByRole('button', { name: 'Answer again' }).click();
    await expect(figure.getByRole('listitem').last()).toHaveText('2:4?');
    await figure.getByRole('button', { name: 'open in Language' }).click();
    await expect(page).toHaveURL(/#2\/language\?model=tales/);
  },
);
