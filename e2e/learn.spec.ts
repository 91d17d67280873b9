// The lessons of Learn: a lesson with questions, keys, cards, question sets and printing.

import { readFileSync } from 'node:fs';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInTestAll } from './axe-violations-in-test-all.ts';

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  const details =
    size.width === 1440 ? {} : scheduled('the same steps at another width', 'e2e/learn.spec.ts, a lesson at 1440 px');
  test(
    `a lesson at ${size.width} px: a wrong answer shows the first step that differs from the encoder, a right answer is saved`,
    details,
    async ({ page }) => {
      await page.setViewportSize(size);
      await page.goto('./#2/learn');
      await expect(page.getByRole('link', { name: /^Start: / })).toBeVisible();
      expect(await axeViolationsInTestAll(page)).toEqual([]);

      await page.getByRole('link', { name: 'Small skips', exact: true }).click();
      await expect(page.getByRole('article', { name: 'Small skips' })).toBeVisible();
      await page.goto('./#2/learn/small-gaps?p=9');
      const question = page.locator('[data-paragraph="9"]');
      await expect(question).toBeInViewport();
      // Rows of two weights, each with a stored zero before it.
      await question.getByRole('textbox', { name: /^you/ }).fill('2');
      await question.getByRole('button', { name: 'Check' }).click();
      await expect(question.getByRole('status')).toContainText('only the weights are stored');
      await expect(page.getByRole('region', { name: 'Figure' }).locator('[aria-live="polite"]')).toContainText(
        'a zero is stored on the way',
      );
      expect(await axeViolationsInTestAll(page)).toEqual([]);

      await question.getByRole('button', { name: 'Another one' }).click();
      await expect(question.getByRole('button', { name: 'Check' })).toBeVisible();
      await expect(question.getByRole('textbox', { name: /^you/ })).toHaveValue('');
      await page.goto('./#2/learn');
      await expect(page.getByText(/1 of \d+ questions answered/).first()).toBeVisible();
    },
  );
}

test(
  'the stage does not give away the answer of an open question',
  scheduled('every question is checked without a page', 'src/lessons/without-answer.test.ts'),
  async ({ page }) => {
    await page.goto('./#2/learn/why-bytes-decide?p=4');
    const figure = page.getByRole('region', { name: 'Figure' });
    await figure.getByRole('button', { name: 'as tables' }).click();
    await expect(figure.getByRole('group', { name: 'data' })).toBeVisible();
    await expect(figure).not.toContainText('240 bytes');
    const question = page.locator('[data-paragraph="4"]');
    await question.getByRole('textbox', { name: /^you/ }).fill('240');
    await question.getByRole('button', { name: 'Check' }).click();
    await expect(question.getByRole('status')).toContainText('Right.');
    await expect(figure).toContainText('240 bytes');
  },
);

test(
  'keys go through a lesson, and the address changes with it',
  scheduled(
    'one more page load',
    'src/app/commands.test.ts, no key of a lesson is also a key of the app, src/kit/stage/PlayerControls.test.tsx for the figure, and e2e/learn.spec.ts, a lesson at 1440 px',
  ),
  async ({ page }) => {
    await page.goto('./#2/learn/small-gaps?');
    await expect(page.getByRole('article', { name: 'Small skips' })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect(page.locator('[data-paragraph="3"]')).toHaveAttribute('aria-current', 'true');
    await expect(page).toHaveURL(/#2\/learn\/small-gaps\?.*p=3/);
    const step = page.getByRole('slider', { name: 'Step' });
    await expect(page.getByRole('region', { name: 'Figure' })).not.toHaveAttribute('aria-busy', 'true');
    const before = Number(await step.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowRight');
    await expect(step).toHaveAttribute('aria-valuenow', String(before + 1));

    await page.goto('./#2/learn/nothing?');
    await expect(page.getByRole('alert')).toContainText('found no lesson ‘nothing’');
  },
);

test(
  'a card below the lesson opens by its heading and its link, and dragging a number in the text changes the figure',
  scheduled(
    'details of a lesson',
    'src/lessons/errata.test.ts and src/lessons/lessons.test.ts, has numbers to drag that start at one of their values',
  ),
  async ({ page }) => {
    await page.goto('./#2/learn/where-the-papers-err?');
    const heading = page.getByRole('button', { name: 'MACKO: density turned over' });
    await expect(heading).toHaveAttribute('aria-expanded', 'false');
    await expect(page.getByText('Every later formula of the paper uses this definition.')).toBeHidden();
    await heading.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Every later formula of the paper uses this definition.')).toBeVisible();
    await expect(heading).toBeFocused();
    await expect(page).toHaveURL(/p=\d+/);
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByText('Every later formula of the paper uses this definition.')).toBeInViewport();
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    await page.goto('./#2/learn/small-gaps?p=11');
    const bits = page.getByRole('spinbutton', { name: 'delta bits' });
    await expect(page.locator('[data-paragraph="11"]')).toContainText('They count to 3.');
    await bits.focus();
    await page.keyboard.press('ArrowRight');
    await expect(bits).toHaveAttribute('aria-valuenow', '4');
    await expect(page.locator('[data-paragraph="11"]')).toContainText('They count to 15.');
    await expect(page.getByRole('region', { name: 'Figure' })).toContainText('delta bits 4');
    const box = await bits.boundingBox();
    if (!box) throw new Error('the number: found no box');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 20, y, { steps: 4 });
    await page.mouse.up();
    await expect(bits).toHaveAttribute('aria-valuenow', '1');
    expect(await axeViolationsInTestAll(page)).toEqual([]);
  },
);

test(
  'a teacher makes a question set on a typed matrix, shares it as a link, and gets a table of results',
  scheduled('two page loads and a table', 'src/lessons/question-set.test.ts and src/lessons/own-matrix.test.ts'),
  async ({ page }) => {
    await page.goto('./#2/learn');
    await page.getByRole('button', { name: 'Make a question set' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a question set' });
    await dialog.getByLabel('find a question').fill('csr row-start');
    await expect(dialog.getByRole('radiogroup', { name: 'question' }).getByRole('radio')).toHaveCount(1);
    await dialog.getByRole('radio', { name: 'my own' }).check({ force: true });
    const cells = dialog.getByLabel('one row of numbers per line');
    await cells.fill('1 0 2\n0 3');
    await expect(dialog.getByRole('alert')).toContainText('found 2 numbers in line 2, expected 3 as in line 1');
    await cells.fill('1 0 0 2 0 0\n0 3 0 4 0 5\n6 0 0 0 0 7');
    await dialog.getByRole('button', { name: 'Add and copy link' }).click();
    await expect(dialog.getByRole('list', { name: 'Questions' }).getByRole('listitem')).toHaveCount(1);
    expect(await axeViolationsInTestAll(page, { within: 'dialog' })).toEqual([]);
    const link = await dialog.getByLabel('link').inputValue();

    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto('about:blank');
    await page.goto(link);
    const question = page.locator('[data-paragraph="1"]');
    await expect(question.getByRole('textbox', { name: /^you/ })).toBeVisible();
    expect(requests.filter((url) => !url.startsWith('data:') && new URL(url).origin !== new URL(link).origin)).toEqual(
      [],
    );
    await question.getByRole('textbox', { name: /^you/ }).fill('3');
    await question.getByRole('button', { name: 'Check' }).click();
    await expect(question.getByRole('status')).not.toBeEmpty();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'save results' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('sparsescope-set.csv');
    expect(readFileSync(await file.path(), 'utf8')).toMatch(
      /^lesson,question,.*\r\nQuestions,row-start-1,csr,3,(yes|no),/,
    );

    await page.goto('./#2/learn/set?set=Nothing');
    await expect(page.getByRole('alert')).toContainText('found no question');
  },
);

test(
  'a printed lesson leaves no pages half empty',
  scheduled('the browser prints', 'nothing: only a browser lays out a printed page'),
  async ({ page }) => {
    const printedArea = { width: 680, height: 1009 };
    await page.goto('./#2/learn/why-bytes-decide');
    await expect(page.getByRole('article', { name: 'Why bytes decide' })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
    const pdf = await page.pdf({
      width: '710px',
      height: '1039px',
      margin: { top: '15px', bottom: '15px', left: '15px', right: '15px' },
    });
    const pdfText = pdf.toString('latin1');
    const pages = pdfText.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    // Pictures must be vector graphics: as images they would make a file of many megabytes.
    expect(pdfText.match(/\/Subtype\s*\/Image\b/g) ?? []).toHaveLength(0);
    // The print layout on one long page.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(printedArea);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const article = page.getByRole('article', { name: 'Why bytes decide' });
    await expect(article.locator('.printed-figure').first()).toBeVisible();
    const length = await article.evaluate(({ clientHeight }) => clientHeight);
    expect(pages).toBeGreaterThanOrEqual(length / printedArea.height);
    expect(pages).toBeLessThanOrEqual(1.25 * (length / printedArea.height) + 1);
  },
);
