import type { Locator, Page } from '@playwright/test';
import { mtx } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';

/**
 * What people come for, by the number of presses from the first screen that it takes at most. One press for each of the
 * four animations: see start.spec.ts.
 */
class Presses {
  count = 0;

  async on(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }
}

test(
  'one press shows a format being built',
  scheduled('one more page load', 'Watch how plays the same row, in e2e/start.spec.ts'),
  async ({ app }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(app.button('Watch how'));
    await app.ready();
    await expect(app.count).toHaveText(/^question|^frame (?!1 of)/);
    expect(presses.count).toBe(1);
  },
);

test.describe('ranked for a model and a card', () => {
  const ranked = async (page: Page): Promise<void> => {
    const main = page.getByRole('main');
    await expect(main.getByRole('heading').first()).toContainText(/takes .*\sGB\sinstead of 16\.1 and writes at most/);
    await expect(page.getByRole('region', { name: 'Subject' })).toContainText('GeForce RTX 4090');
    await expect(
      main
        .getByRole('table')
        .first()
        .getByRole('row', { name: /^dense i4/ }),
    ).toContainText('6.0');
  };

  test('in four presses', async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    const subject = page.getByRole('region', { name: 'Subject' });
    await presses.on(subject.getByRole('button', { name: 'Llama-3.1-8B' }));
    await presses.on(app.button('Compare'));
    await presses.on(subject.getByRole('button', { name: /^Device/ }));
    await presses.on(page.getByRole('dialog').getByRole('button', { name: /RTX 4090/ }));
    await ranked(page);
    expect(presses.count).toBe(4);
  });

  test(
    'by a few words in the palette',
    scheduled(
      'one of two ways to the same page',
      'src/app/palette/find-subjects.test.ts and the four presses in e2e/tasks.spec.ts',
    ),
    async ({ app, page }) => {
      await app.firstVisit();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox').fill('llama-3.1-8b 4090 i4');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/model=llama-3\.1-8b.*on=/);
      await app.button('Compare').click();
      await ranked(page);
    },
  );
});

test(
  'two presses generate a matrix',
  scheduled('one more page load', 'what e2e/matrix.spec.ts generates'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(page.getByRole('button', { name: 'Generate one' }));
    await presses.on(
      page.getByRole('dialog', { name: 'Weights' }).getByRole('button', { name: 'Generate', exact: true }),
    );
    await app.ready();
    await expect(page).toHaveURL(/src=generated:/);
    expect(presses.count).toBe(2);
  },
);

test('three presses change a kernel and run it', async ({ app, page }) => {
  const presses = new Presses();
  await app.open('#2/watch?src=generated:uniform&shape=64x96&density=0.3&seed=1&a=csr&b=none');
  await presses.on(app.button('Code'));
  await presses.on(page.getByRole('button', { name: 'Edit a copy' }));
  const field = page.getByRole('main').getByRole('textbox').first();
  await expect(field).toBeVisible();
  await presses.on(page.getByRole('main').getByRole('button', { name: /^Run/ }));
  await expect(page.getByRole('complementary').or(page.getByRole('main')).first()).toContainText(
    /verified|within the bound/,
    {
      timeout: 120_000,
    },
  );
  expect(presses.count).toBe(3);
});

test(
  'three presses set two formats side by side on the same rows',
  scheduled('one more page load', 'the words of two stories in e2e/watch.spec.ts'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(page.getByRole('region', { name: 'Subject' }).getByRole('button', { name: /^B:/ }));
    await presses.on(
      page
        .getByRole('dialog', { name: 'B', exact: true })
        .getByRole('button', { name: /\bCSR\b/ })
        .first(),
    );
    await app.ready();
    await presses.on(page.getByRole('switch', { name: 'beside CSR' }));
    await expect(app.stage).toHaveAttribute('data-two', 'true');
    expect(presses.count).toBe(3);
  },
);

test('two presses open a file of one’s own, and one more ranks the formats for it', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  const asked = page.waitForEvent('filechooser');
  await presses.on(page.getByRole('button', { name: 'Open a matrix' }));
  await presses.on(page.getByRole('dialog', { name: 'Weights' }).getByRole('button', { name: /^Open file/ }));
  await (
    await asked
  ).setFiles(
    mtx('mine.mtx', 24, 40, [
      [0, 3, 0.5],
      [7, 30, -0.25],
      [23, 39, 1],
    ]),
  );
  await expect(page.getByRole('region', { name: 'Subject' })).toContainText('mine');
  expect(presses.count).toBe(2);
  await presses.on(app.button('Compare'));
  await expect(page.getByRole('main').getByRole('table').first()).toContainText('MACKO');
  expect(presses.count).toBe(3);
});

test(
  'two presses run the kernels on the open matrix',
  scheduled('makes 29 million weights until it is cancelled', 'e2e/benchmark.spec.ts'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(app.button('Measure'));
    await presses.on(app.runButton);
    // A matrix of this size takes a software adapter minutes; that a run verifies and ends is held on smaller ones.
    await expect(page.getByRole('main')).toContainText('Making the stand-in weights');
    await app.button('cancel').click();
    expect(presses.count).toBe(2);
  },
);

test(
  'three presses present a chapter, and two save its pictures',
  scheduled('one more page load and pictures of a chapter', 'e2e/present.spec.ts'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(app.button('Watch how'));
    await presses.on(
      page
        .getByRole('region', { name: 'Player' })
        .getByRole('button', { name: /^Frame \d+, Multiply$/ })
        .first(),
    );
    await presses.on(app.button('Present'));
    await expect(page.getByRole('main', { name: 'Presentation' })).toBeVisible();
    expect(presses.count).toBe(3);
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await presses.on(app.button('Export'));
    await presses.on(page.getByRole('dialog').getByRole('button', { name: 'Numbered PNGs' }));
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
    expect(presses.count).toBe(5);
  },
);
