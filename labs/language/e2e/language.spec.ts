// The page Language in the built site: texts, pruning, links and stored choices.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolationsInThemes } from '../../../e2e/axe-violations.ts';
import { pressAsSoonAsVisible } from '../../../e2e/at-once.ts';

/** What the models write is computed on the CPU here: only the smallest one, and short. */
const SMALL =
  '#2/language?model=tales-small&prune=rows:0.7&a=macko&b=dense&x.prompt=One%20day%2C%20Omar&x.seed=2&x.mode=held&x.fold=matrices';

test('a recorded text is shown at once, the slider prunes its model, and a pinned token is in the address', async ({
  app,
  page,
}) => {
  await page.goto('./#2/language?x.mode=held');
  await test.step('a recorded text is there at once, and the slider puts its model into the selection bar', async () => {
    const answer = page.getByRole('main').getByRole('heading', { level: 2 });
    await expect(answer).toContainText('such as “firefut”');
    const tokens = page.getByRole('listbox', { name: /Tokens of the dense text/ });
    await expect(tokens.getByRole('option')).toHaveCount(387);

    await page.keyboard.press('Shift+Comma');
    await expect(app.selection).toContainText('Tales 3.4M');
    await expect(app.selection).toContainText('all 42 matrices');
    await expect(app.selection).toContainText(/50\s%\s+left/);
    await expect(answer).toContainText('With half of its weights');
    await expect(page.getByRole('slider', { name: 'Left' })).toHaveAttribute('aria-valuetext', /^50\s%/);

    await page.goBack();
    await expect(answer).toContainText('firefut');
  });
  await test.step('a token is pinned by a click and by arrows, and the link has it', async () => {
    const tokens = page.getByRole('listbox', { name: /Tokens of the dense text/ });
    await tokens.getByRole('option', { name: /^will,/ }).click();
    const panel = page.getByRole('region', { name: 'The likeliest words' });
    await expect(panel).toContainText('raincoat');
    await expect
      .poll(
        () =>
          page.locator('.text-columns').evaluate((columns) => {
            const divider = columns.querySelector('.text-side')?.getBoundingClientRect().left ?? 0;
            const texts = [...(columns.querySelector('[role=listbox]')?.querySelectorAll('span') ?? [])];
            return texts.filter((text) => text.getBoundingClientRect().right > divider).length;
          }),
        { message: 'texts that cross the divider' },
      )
      .toBe(0);
    await expect(page).toHaveURL(/x\.at=\d+/);
    const pinned = tokens.locator('[aria-selected=true]');
    const before = await pinned.getAttribute('id');
    await page.keyboard.press('ArrowRight');
    await expect(pinned).not.toHaveAttribute('id', before ?? '');
    await page.keyboard.press('f');
    await expect(page.getByRole('radio', { name: 'its own text' })).toBeChecked();
    await expect(page).not.toHaveURL(/x\.mode/);
    await expect(page.getByRole('region', { name: 'unpruned' })).toContainText('firefighter');
    await expect(page.getByText('Spelling', { exact: true })).toBeVisible();
  });
});

test.describe('at the first visit, with all details sections closed', () => {
  test.use({ details: '' });

  test(
    'one press and a key prune a model until its text breaks',
    scheduled('one more page load', 'the recorded text and its slider, in labs/language/e2e/language.spec.ts'),
    async ({ app, page }) => {
      await app.firstVisit();
      await app.link('Language').click();
      const answer = page.getByRole('main').getByRole('heading', { level: 2 });
      // At a first visit the text is still good, and the address says how much is left.
      await expect(answer).toContainText(/^With 90.% of its weights, it shows no loss in this tale/);
      await app.addressWith('x.prune=wanda-0.9');
      await page.getByRole('slider', { name: 'Left' }).press('ArrowLeft');
      await expect(answer).not.toContainText('With 90');
    },
  );
});

test(
  'tabs have addresses and keys of their own',
  scheduled(
    'tabs are pressed in other tests',
    'src/app/palette/shortcut-sheet.test.ts, a tab is listed with its page, and src/kit/shortcuts.test.tsx, runs the command of two keys',
  ),
  async ({ page }) => {
    await page.goto('./#2/language');
    const tabs = page.getByRole('navigation', { name: 'Language' });
    await expect(tabs.getByRole('link', { name: 'Text' })).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('g');
    await page.keyboard.press('2');
    await expect(tabs.getByRole('link', { name: 'Quality' })).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveURL(/#2\/language\/quality\?/);
  },
);

test(
  'with another selection, the selection bar names the model that writes, and then the earlier selection again',
  scheduled(
    'one more page load',
    'labs/language/e2e/language.spec.ts, where the selection bar names the model of the recorded text',
  ),
  async ({ app, page }) => {
    await page.goto('./#2/watch?model=llama-3.1-8b&layer=0&matrix=down&prune=magnitude:0.5&a=macko&b=dense');
    await app.ready();
    // The whole model: Watch names the matrix of it that is on the stage.
    await app.selection.getByRole('button', { name: 'Whole model: Llama-3.1-8B' }).click();
    await expect(app.selection).toContainText('whole model');
    await expect(page.locator('.watch-answer')).toContainText(/^MACKO stores \w+_proj of layer \d+ in /);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Language' }).click();
    await expect(app.selection).toContainText(/^Tales 3\.4Mpruned to90\s%\sleft by Wanda/);
    await expect(app.selection).not.toContainText('Llama');
    await pages.getByRole('link', { name: 'Watch' }).click();
    await expect(app.selection).toContainText('Llama-3.1-8B');
  },
);

test('a model writes, and the matrix that is opened from the strip has its own weights', async ({ app, page }) => {
  await page.goto(`./${SMALL}`);
  await pressAsSoonAsVisible(page, 'Escape', '[aria-label^="Tokens of the dense text"] [role="option"]');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Stopped. Try again');
  const answer = page.getByRole('main').getByRole('heading', { level: 2 }).first();
  await expect(answer).toHaveText('Tales 0.6M has not finished its text');

  const up = page.getByRole('option', { name: /^layer 3, up, [\d\s]+ of [\d\s]+ bytes$/ });
  await up.click();
  await expect(app.selection).toContainText('layer 3');
  await expect(app.selection).toContainText('up_proj');
  await up.press('Enter');
  await app.ready();
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Watch' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  // e2e/start.spec.ts has the opposite: a model whose weights do not come with the page.
  await expect(app.selection).not.toContainText('random weights');
});

test(
  'the tab Text passes axe at 1440 and 390 px',
  scheduled('axe in light and dark at two widths', 'e2e/axe.spec.ts, on other pages, which consist of the same parts'),
  async ({ page }) => {
    await page.goto('./#2/language?x.fold=figures.matrices.noise');
    await expect(page.getByText('Spelling', { exact: true })).toBeAttached();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await axeViolationsInThemes(page), `at ${width} px`).toEqual([]);
    }
  },
);

test(
  'axe finds nothing in its other parts and in the list of models',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, on pages that consist of the same parts'),
  async ({ page }) => {
    await page.goto('./#2/language?x.fold=figures.matrices');
    await expect(page.getByText('Spelling', { exact: true })).toBeAttached();
    await page.getByRole('main').getByRole('button', { name: 'details', exact: true }).press('Enter');
    expect(await axeViolationsInThemes(page)).toEqual([]);
    const tabs = page.getByRole('navigation', { name: 'Language' });
    for (const [tab, shown] of [
      ['Quality', page.getByRole('img', { name: /^Loss above the best possible \(bits per byte\), by density/ })],
      ['Speed', page.getByRole('img', { name: /^Milliseconds per token: / })],
      ['Neurons', page.getByRole('heading', { name: /On average, only 16 of 768 neurons/ })],
    ] as const) {
      await tabs.getByRole('link', { name: tab }).click();
      await expect(shown).toBeVisible();
      expect(await axeViolationsInThemes(page), tab).toEqual([]);
    }
    await page.getByRole('button', { name: /^Model: / }).click();
    const models = page.getByRole('dialog', { name: 'Models that write' });
    await expect(models.getByRole('list', { name: 'Models' })).toBeVisible();
    expect(await axeViolationsInThemes(page, { within: 'dialog' })).toEqual([]);
  },
);

test.describe('without a network', () => {
  test.use({ bringsFaults: true });

  test('the headline says that the model is not loaded', async ({ page }) => {
    await page.route('**/models/**/model.safetensors', (route) => route.abort());
    // No text is recorded at this density, so the model would have to write one.
    await page.goto('./#2/language?src=generated:uniform&shape=32x32&density=0.3&seed=1&x.prune=wanda-0.55');
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 2 })).toHaveText('Tales 3.4M is not loaded: it needs a network');
    await expect(main.getByRole('status')).toContainText('the network did not answer');
  });
});
