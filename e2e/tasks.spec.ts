// Tests of common tasks, with the maximum number of presses that each takes from the first screen. start.spec.ts has the task of
// one press: starting one of the four animations.

import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { mtx, safetensors } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';

/** Clicks elements and counts the clicks. */
class Presses {
  count = 0;

  async on(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }
}

// As on a first visit: details sections are closed.
test.use({ details: '' });

test.describe('ranked for a model and a card', () => {
  const expectRanked = async (page: Page): Promise<void> => {
    const main = page.getByRole('main');
    await expect(main.getByRole('heading').first()).toContainText(/takes .*\sGB\sinstead of 16\.1 and writes at most/);
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('GeForce RTX 4090');
    await expect(
      main
        .getByRole('table')
        .first()
        .getByRole('row', { name: /^dense i4/ }),
    ).toContainText('6.0');
  };

  test('four presses rank the formats for a model and a GPU', async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    const selection = page.getByRole('region', { name: 'Selection' });
    await presses.on(app.link('Compare'));
    await presses.on(selection.getByRole('button', { name: 'Whole model: Llama-3.1-8B' }));
    await presses.on(selection.getByRole('button', { name: /^Device/ }));
    await presses.on(page.getByRole('dialog').getByRole('button', { name: /RTX 4090/ }));
    await expectRanked(page);
    expect(presses.count).toBe(4);
  });

  test(
    'a few words in the palette rank the formats for a model and a GPU',
    scheduled(
      'one of two ways to the same page',
      'src/app/palette/find-selection.test.ts and the four presses in e2e/tasks.spec.ts',
    ),
    async ({ app, page }) => {
      await app.firstVisit();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox').fill('llama-3.1-8b 4090 i4');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/model=llama-3\.1-8b.*on=/);
      await app.link('Compare').click();
      await expectRanked(page);
    },
  );
});

test(
  'four presses generate a matrix and time it',
  scheduled('a run on a GPU in software', 'e2e/matrix.spec.ts for the matrix, and e2e/benchmark.spec.ts for the run'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(app.selection.getByRole('button', { name: /^Weights: / }));
    const dialog = page.getByRole('dialog', { name: 'Weights' });
    await presses.on(dialog.getByRole('button', { name: 'Generate…', exact: true }));
    for (const field of ['rows', 'cols']) await dialog.getByRole('textbox', { name: field }).fill('64');
    await presses.on(dialog.getByRole('button', { name: 'Generate', exact: true }));
    await app.ready();
    await presses.on(app.link('Measure'));
    await expect(app.runButton).toBeEnabled();
    await page.keyboard.press('ControlOrMeta+Enter');
    // The end of all rounds is tested in e2e/benchmark.spec.ts, with fewer rounds.
    await expect(page.locator('.time-bar-figures').first()).toContainText(/\d.[µnm]?s/, { timeout: 120_000 });
    expect(presses.count).toBe(4);
  },
);

test('two presses show below which density MACKO beats dense on an RTX 4090', async ({ app, page }) => {
  const presses = new Presses();
  await app.firstVisit();
  await presses.on(app.selection.getByRole('button', { name: /^Device/ }));
  await presses.on(page.getByRole('dialog').getByRole('button', { name: /RTX 4090/ }));
  await expect(page.getByRole('main')).toContainText(
    /Published for RTX 4090: MACKO is faster than dense f16 below 71.%/,
  );
  expect(presses.count).toBe(2);
});

test(
  'five presses put three questions into a link, and copy it',
  scheduled('one more page load', 'src/lessons/question-set.test.ts'),
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const presses = new Presses();
    await page.goto('./');
    await presses.on(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Learn' }));
    await presses.on(page.getByRole('button', { name: 'Make a question set' }));
    const dialog = page.getByRole('dialog', { name: 'Make a question set' });
    const questions = dialog.getByRole('list', { name: 'Questions' }).getByRole('listitem');
    for (const count of [1, 2, 3]) {
      await presses.on(dialog.getByRole('button', { name: 'Add and copy link' }));
      await expect(questions).toHaveCount(count);
      await expect(page.getByText(`Question ${count} added. Link copied.`)).toBeVisible();
    }
    expect(presses.count).toBe(5);
    const clipboardText = await page.evaluate(() => navigator.clipboard.readText());
    expect(clipboardText).toBe(await dialog.getByLabel('link').inputValue());
  },
);

test(
  'three presses show two formats next to each other on the same rows',
  scheduled('one more page load', 'the words of two stories in e2e/watch.spec.ts'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^B:/ }));
    await presses.on(
      page
        .getByRole('dialog', { name: 'B', exact: true })
        .getByRole('button', { name: /\bCSR\b/ })
        .first(),
    );
    await app.ready();
    await presses.on(page.getByRole('switch', { name: 'with CSR' }));
    await expect(app.stage).toHaveAttribute('data-two', 'true');
    expect(presses.count).toBe(3);
  },
);

test(
  'two presses open a user’s file, and one more ranks the formats for it',
  scheduled(
    'one more page load',
    'the file that is opened in e2e/matrix.spec.ts, and e2e/unbroken.spec.ts, where Compare is about such a file',
  ),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    const request = page.waitForEvent('filechooser');
    await presses.on(app.selection.getByRole('button', { name: /^Weights: / }));
    await presses.on(page.getByRole('dialog', { name: 'Weights' }).getByRole('button', { name: /^Open file/ }));
    await (
      await request
    ).setFiles(
      mtx('mine.mtx', 24, 40, [
        [0, 3, 0.5],
        [7, 30, -0.25],
        [23, 39, 1],
      ]),
    );
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('mine');
    expect(presses.count).toBe(2);
    await presses.on(app.link('Compare'));
    await expect(page.getByRole('main').getByRole('table').first()).toContainText('MACKO');
    expect(presses.count).toBe(3);
  },
);

test(
  'three presses present a chapter, and two save its pictures',
  scheduled('one more page load and pictures of a chapter', 'e2e/present.spec.ts'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(app.link('Watch how'));
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

test(
  'three presses open a user’s group, and one more shows it on the stage',
  scheduled('one more page load', 'src/papers/slidesparse/board.test.tsx'),
  async ({ app, page }) => {
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(page.getByRole('link', { name: 'SlideSparse: slide a window' }));
    await app.ready();
    await presses.on(app.button('details'));
    await presses.on(app.button('any group'));
    await expect(page.getByRole('main')).toContainText('placements');
    expect(presses.count).toBe(3);
    await presses.on(app.button('Put it on the stage'));
    await expect(app.selection).toContainText('1 × 8');
    expect(presses.count).toBe(4);
  },
);

test(
  'two presses copy the code that embeds the stage, with both formats',
  scheduled('one more page load', 'src/state/embed-address.test.ts'),
  async ({ app, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const presses = new Presses();
    await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=csr', { byFrames: true });
    await presses.on(app.button('Export'));
    await presses.on(page.getByRole('dialog').getByRole('button', { name: 'Copy the code' }));
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/<iframe .*a=macko.*b=csr/);
    expect(presses.count).toBe(2);
  },
);

test.describe('by keys alone', () => {
  test(
    'two formats are shown next to each other, and arrows step through their story',
    scheduled(
      'a second way to two stories',
      'src/app/selection/choice-keys.test.tsx, and the words of two stories in e2e/watch.spec.ts',
    ),
    async ({ app, page }) => {
      await app.firstVisit();
      await page.keyboard.press('/');
      await expect(app.selection.locator('.word').first()).toBeFocused();
      for (let i = 0; i < 12 && (await page.locator('[data-word="b"]:focus').count()) === 0; i++)
        await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const formats = page.getByRole('dialog', { name: 'B', exact: true });
      await expect(formats.getByRole('button', { name: /\bCSR\b/ }).first()).toBeVisible();
      await page.keyboard.type('csr');
      await expect(formats.getByRole('button', { name: /^ELL\b/ })).toHaveCount(0);
      await page.keyboard.press('Enter');
      await expect(app.selection.getByRole('button', { name: /^B:/ })).toContainText('CSR');
      await app.ready();
      // The keys control the stage at once, without leaving the selection bar first.
      await page.keyboard.press('ArrowRight');
      await expect(app.count).toHaveText('frame 2 of 11');
    },
  );

  test(
    'a matrix is generated and a run is started, and the focus leaves the field',
    scheduled('one more page load and a run', 'e2e/access.spec.ts and the four presses in e2e/tasks.spec.ts'),
    async ({ app, page }) => {
      await app.firstVisit();
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
      await page.keyboard.type('generate');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Weights' });
      const generateButton = dialog.getByRole('button', { name: 'Generate', exact: true });
      await expect(generateButton).toBeVisible();
      await dialog.getByRole('textbox', { name: 'rows' }).fill('64');
      await dialog.getByRole('textbox', { name: 'cols' }).fill('64');
      for (let i = 0; i < 8 && (await generateButton.evaluate((button) => button !== document.activeElement)); i++)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(dialog).toHaveCount(0);
      await app.ready();
      await page.keyboard.press('3');
      await expect(page).toHaveTitle(/Measure/);
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(page.getByRole('main').getByRole('button', { name: /^Run again on / })).toBeVisible({
        timeout: 120_000,
      });
    },
  );
});

test(
  'on a phone two presses play TwELL’s story and step on',
  scheduled('one more page load', 'e2e/frames.spec.ts, on a phone a large button or a swipe shows the next frame'),
  async ({ app, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const presses = new Presses();
    await app.firstVisit();
    await presses.on(page.getByRole('link', { name: /^TwELL/ }));
    await app.addressWith('a=twell');
    await presses.on(app.button('Next'));
    await expect(page).toHaveURL(/frame=[a-z]/);
    expect(presses.count).toBe(2);
  },
);

test.describe('with recordings', () => {
  test.use({ hasRecordings: true });

  test(
    'a whole model lists the best format of every matrix by bytes or time, also within a budget, and saves it',
    scheduled('one more page load', 'src/theory/choice/format-choice.test.ts and bench/command/choose.test.ts'),
    async ({ page }) => {
      await page.goto('./#2/compare?model=llama-3.1-8b&prune=magnitude:0.5');
      await page.getByRole('button', { name: 'Which format for each matrix?' }).click();
      const table = page.getByRole('table', { name: 'The best format for each matrix' });
      await expect(table.getByRole('row', { name: /^up / })).toContainText('bitmask');
      await page.getByRole('radio', { name: 'time' }).check();
      // A predicted time needs the recording of the chosen device.
      await expect(table.getByRole('row', { name: /^up / })).toContainText('MACKO');
      await page.getByRole('group', { name: 'bits of a value, at least' }).getByRole('radio', { name: '4' }).check();
      await page.getByRole('textbox', { name: 'at most, in GB (0: any)' }).fill('5.5');
      await expect(page).toHaveURL(/x\.goal=time/);
      await expect(page).toHaveURL(/x\.budget=5\.5/);
      await expect(table.getByRole('row', { name: /^q / })).toContainText('dense i4');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).last().click();
      expect((await download).suggestedFilename()).toBe('sparsescope-choice-Llama-3.1-8B.csv');
      await page.getByRole('textbox', { name: 'at most, in GB (0: any)' }).fill('1');
      await expect(page.getByText(/^Even the fewest bytes are .*: more than 1 GB\.$/)).toBeVisible();
    },
  );

  test(
    'every matrix of an open file is read, stored in its best format, and saved with exact bytes',
    scheduled('one more page load', 'src/pages/compare/details/choice/FileChoice.test.tsx, without a browser'),
    async ({ app, page }) => {
      await page.goto('./#2/compare');
      await expect(page.getByRole('main').getByRole('table').first()).toBeVisible();
      await app.dropFile(safetensors('model.safetensors'));
      const dialog = page.getByRole('dialog', { name: 'Choose a tensor' });
      await dialog.getByRole('radio').nth(1).check();
      await dialog.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('button', { name: 'Which format for each matrix?' }).click();
      await page.getByRole('button', { name: 'Read every matrix' }).click();
      const table = page.getByRole('table', { name: 'The best format for each matrix' });
      await expect(table.getByRole('row', { name: /^layers\.0\.down/ })).toBeVisible();
      await expect(page.getByText(/conv\.weight/)).toBeVisible();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'JSON' }).last().click();
      const { choice, unread } = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
      // 2:4: 32 rows of 32 weights with 2 bytes and 2 bits each.
      expect(choice).toMatchObject([
        { matrix: 'layers.0.down.weight', format: 'SlideSparse 2:4', bytes: 32 * (64 + 8), 'runner-up': 'bitmask' },
        { matrix: 'layers.0.up.weight', format: 'dense', bytes: 16 * 16 * 2, 'runner-up': 'BSR' },
      ]);
      expect(unread).toEqual([expect.stringContaining('layers.0.conv.weight: found shape (2, 2, 2)')]);
    },
  );
});
