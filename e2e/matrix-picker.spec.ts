// The matrix picker and the pruning dialog: by mouse, by keyboard, on a phone, and with axe.

import type { Locator, Page } from '@playwright/test';
import { mtx } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

/** The address of a layer's matrix down_proj. */
const DOWN_PROJ = '#2/watch?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko';

const selectionBar = (page: Page): Locator => page.getByRole('region', { name: 'Selection' });
const crumbs = (page: Page): Locator => selectionBar(page).locator('.crumbs');
const prunedButton = (page: Page): Locator => selectionBar(page).getByRole('button', { name: /^Pruned to: / });

/** Opens the address DOWN_PROJ, and waits for its matrix. */
async function openDown(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`./${DOWN_PROJ}`);
  await expect(crumbs(page)).toContainText('down_proj, 4\u202f096 × 14\u202f336');
}

test.describe('by mouse', () => {
  test(
    'a name in the path opens its level, and the arrow after it lists its neighbours',
    scheduled(
      'a second way to choose what the first test chooses',
      'src/app/matrix-picker/crumbs.test.ts and src/app/matrix-picker/choice.test.ts',
    ),
    async ({ app, page }) => {
      await openDown(page);
      await crumbs(page).getByRole('button', { name: 'Other layers' }).click();
      await page.getByRole('option', { name: 'layer 3', exact: true }).click();
      await expect(crumbs(page)).toContainText('layer 3');
      expect(await app.addressWith('layer=3')).toContain('matrix=down');
      await crumbs(page).getByRole('button', { name: 'Other models' }).click();
      await page.getByRole('option', { name: /^Mistral-7B/ }).click();
      expect(await app.addressWith('model=mistral-7b-v0.1')).toContain('layer=3');
      await crumbs(page)
        .getByRole('button', { name: /^Whole layer/ })
        .click();
      await expect(crumbs(page)).toContainText('whole layer, 7 matrices');
      await crumbs(page)
        .getByRole('button', { name: /^Whole model/ })
        .click();
      await expect(crumbs(page)).toContainText('whole model, 225 matrices');
      await expect(page).not.toHaveURL(/layer=/);
      const address = await app.addressWith('model=mistral-7b-v0.1');
      expect(address).toContain('prune=magnitude:0.5');
      // A reload of the address restores the level.
      await page.goto('about:blank');
      await page.goto(`./${address}`);
      await expect(crumbs(page)).toContainText('whole model, 225 matrices');
    },
  );

  test('model, layer and matrix are chosen, and the window is dragged', async ({ app, page }) => {
    await app.open();
    await test.step('the picker has few controls at first, and a press shows all models and examples', async () => {
      const matrixPicker = await app.openMatrixPicker();
      const controls = matrixPicker.locator('a[href], button, input, select, textarea, [tabindex="0"]');
      await expect(matrixPicker.getByRole('textbox', { name: 'rows' })).toBeVisible();
      // An earlier version had 60 controls here.
      await expect.poll(() => controls.count()).toBeLessThanOrEqual(30);
      const models = matrixPicker.getByRole('listbox', { name: /^Model/ }).getByRole('option');
      const countAtFirst = await models.count();
      await matrixPicker.getByRole('button', { name: / more models$/ }).press('Enter');
      await expect.poll(() => models.count()).toBeGreaterThan(2 * countAtFirst);
      await expect(models.first()).toBeFocused();
      await expect(matrixPicker.getByRole('button', { name: /^all \d+$/ })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(matrixPicker).toHaveCount(0);
    });
    await test.step('the window is dragged over the matrix or typed, and opened', async () => {
      const matrixPicker = await app.openMatrixPicker();
      const picture = matrixPicker.getByRole('application', { name: 'Matrix cells' });
      await expect(picture.getByRole('img')).toBeVisible();
      const rows = matrixPicker.getByRole('textbox', { name: 'rows' });
      await expect(rows).toHaveValue('464 to 467');
      await matrixPicker.getByRole('button', { name: 'Choose the region' }).click();
      await picture.hover();
      const box = await picture.boundingBox();
      if (!box) throw new Error('found no picture');
      const middle = { x: box.x + box.width / 2 - 20, y: box.y + box.height / 2 };
      await page.mouse.move(middle.x, middle.y);
      await page.mouse.down();
      await page.mouse.move(middle.x + 40, middle.y + 30, { steps: 5 });
      await page.mouse.up();
      await expect(rows).not.toHaveValue('464 to 467');
      await matrixPicker.getByRole('textbox', { name: 'columns' }).fill('9 to 3');
      await page.keyboard.press('Enter');
      await expect(matrixPicker.getByRole('alert')).toHaveText(
        'Found 9 to 3, expected numbers from 0 to 511, such as 0 to 4.',
      );
      await matrixPicker.getByRole('textbox', { name: 'columns' }).fill('64 to 79');
      await page.keyboard.press('Enter');
      await rows.fill('100 to 102');
      await page.keyboard.press('Enter');
      await matrixPicker.getByRole('button', { name: 'Take this region' }).click();
      await app.addressWith('win=100,64,3,16');
    });
    await test.step('model, layer and matrix are chosen, previewed in the selection bar and opened', async () => {
      const matrixPicker = await app.openMatrixPicker();
      await matrixPicker.getByRole('option', { name: /^Qwen3-8B/ }).hover();
      await expect(crumbs(page)).toContainText('Qwen3-8B');
      await expect(crumbs(page)).toContainText('whole model, 253 matrices');
      await matrixPicker.getByRole('option', { name: /^Qwen3-8B/ }).click();
      await matrixPicker.getByRole('slider', { name: 'Layer' }).click({ position: { x: 20, y: 2 } });
      await matrixPicker.getByRole('option', { name: /^gate_proj/ }).click();
      await expect(crumbs(page)).toContainText('layer 0');
      // A preview does not change the address.
      expect(new URL(page.url()).hash).not.toContain('model=');
      await matrixPicker.getByRole('button', { name: 'Take gate_proj' }).click();
      await expect(matrixPicker).toHaveCount(0);
      const address = await app.addressWith('model=qwen3-8b');
      for (const part of ['layer=0', 'matrix=gate', 'prune=magnitude:0.5']) expect(address).toContain(part);
      await expect(crumbs(page)).toContainText('gate_proj, 12\u202f288 × 4\u202f096');
      await page.goBack();
      await expect(crumbs(page)).toContainText('Digits, second layer');
    });
  });

  test(
    'an example is a click away, and a matrix of a model that is not open is drawn',
    scheduled(
      'one of several ways to a matrix',
      'src/app/matrix-picker/search.test.ts, and e2e/matrix-picker.spec.ts, model, layer and matrix are chosen',
    ),
    async ({ app, page }) => {
      await app.open();
      const matrixPicker = await app.openMatrixPicker();
      await matrixPicker.getByRole('option', { name: /^Llama-3\.1-8B/ }).click();
      await matrixPicker.getByRole('option', { name: /^lm_head/ }).click();
      await expect(matrixPicker.getByRole('img', { name: /^Matrix of 128.256 × 4.096, 50/ })).toBeVisible();
      await expect(matrixPicker).toContainText('Random weights');
      await matrixPicker.getByRole('button', { name: /^Load the real ones/ }).click();
      await expect(matrixPicker.getByRole('textbox', { name: 'From the web' })).toHaveValue('meta-llama/Llama-3.1-8B');
      await matrixPicker.getByRole('button', { name: /Back/ }).click();
      await matrixPicker.getByRole('button', { name: /^Arrow/ }).click();
      await app.addressWith('src=example:arrow');
      await expect(crumbs(page)).toHaveText(/Arrow, 400 × 400/);
    },
  );

  test(
    'a model from a config.json can be chosen like the others',
    scheduled(
      'one of several ways to a model',
      'src/kit/forms/use-text-file.test.tsx and src/pages/compare/model/model-formats.test.ts, modelOfSizes reads what sizesText writes',
    ),
    async ({ app, page }) => {
      await app.open();
      const matrixPicker = await app.openMatrixPicker();
      await matrixPicker.getByRole('button', { name: 'another, by its config.json' }).click();
      const config = {
        model_type: 'llama',
        _name_or_path: 'me/tiny',
        hidden_size: 64,
        intermediate_size: 160,
        num_hidden_layers: 3,
        num_attention_heads: 4,
        vocab_size: 300,
      };
      const fileChooser = page.waitForEvent('filechooser');
      await matrixPicker.getByRole('button', { name: 'Open a config.json' }).click();
      const buffer = Buffer.from(JSON.stringify(config));
      await (await fileChooser).setFiles({ name: 'config.json', mimeType: 'application/json', buffer });
      await expect(matrixPicker.getByRole('option', { name: /^tiny/ })).toHaveAttribute('aria-selected', 'true');
      await matrixPicker.getByRole('option', { name: /^up_proj/ }).dblclick();
      await expect(crumbs(page)).toContainText('up_proj, 160 × 64');
      const address = await app.addressWith('model=64-160-3-4-4-16-300');
      await page.goto('about:blank');
      await page.goto(`./${address}`);
      await expect(crumbs(page)).toContainText('up_proj, 160 × 64');
    },
  );

  test(
    'a file can be opened from the picker',
    scheduled(
      'one of several ways to a file',
      'src/app/matrix-picker/tensors.test.tsx, the picker offers every file that is opened',
    ),
    async ({ app, page }) => {
      await app.open();
      const matrixPicker = await app.openMatrixPicker();
      const fileChooser = page.waitForEvent('filechooser');
      await matrixPicker.getByRole('button', { name: /^Open file/ }).click();
      await (await fileChooser).setFiles({ ...mtx('corner.mtx', 8, 8, [[0, 0, 1.5]]) });
      await expect(crumbs(page)).toContainText('corner.mtx, 8 × 8');
    },
  );
});

test.describe('by keyboard', () => {
  test(
    'arrow keys change the level and the choice, and Enter opens the matrix',
    scheduled(
      'keys of what the first test chooses by mouse',
      'src/app/matrix-picker/choice.test.ts, left and right change the level, and src/app/selection/choice-keys.test.tsx',
    ),
    async ({ app, page }) => {
      await openDown(page);
      await page.keyboard.press('/');
      for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const matrixPicker = page.getByRole('dialog', { name: 'Weights' });
      await expect(matrixPicker.getByRole('searchbox')).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(crumbs(page)).toContainText('up_proj');
      await page.keyboard.press('ArrowLeft');
      await expect(crumbs(page)).toContainText('whole layer');
      await page.keyboard.press('ArrowDown');
      await expect(crumbs(page)).toContainText('layer 13');
      await page.keyboard.press('ArrowLeft');
      // The model that was open comes first, then the others by size.
      for (const name of ['Tales 0.6M', 'Tales 3.4M', 'Tales ReLU 3.4M', 'Tales pruned 3.4M', 'GPT-2']) {
        await page.keyboard.press('ArrowDown');
        await expect(crumbs(page)).toContainText(name);
      }
      await page.keyboard.press('Enter');
      await expect(matrixPicker).toHaveCount(0);
      const address = await app.addressWith('model=gpt-2');
      expect(address).not.toContain('layer=');
      await expect(crumbs(page)).toContainText('whole model, 73 matrices');
    },
  );

  test(
    'Escape closes the picker and leaves the page unchanged',
    scheduled(
      'one function forgets what was chosen',
      'src/app/matrix-picker/choice.test.ts; a dialog is closed by Escape in e2e/access.spec.ts',
    ),
    async ({ app, page }) => {
      await openDown(page);
      const before = await app.addressWith('win=');
      await crumbs(page)
        .getByRole('button', { name: /^Weights/ })
        .focus();
      await page.keyboard.press('Enter');
      const matrixPicker = page.getByRole('dialog', { name: 'Weights' });
      await expect(matrixPicker.getByRole('searchbox')).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowDown');
      await expect(crumbs(page)).toContainText('layer 13');
      await page.keyboard.press('Escape');
      await expect(matrixPicker).toHaveCount(0);
      await expect(crumbs(page)).toContainText('layer 12');
      await expect(crumbs(page)).toContainText('down_proj, 4\u202f096 × 14\u202f336');
      await expect.poll(() => new URL(page.url()).hash).toBe(before);
      await expect(crumbs(page).getByRole('button', { name: /^Weights/ })).toBeFocused();
    },
  );

  test(
    'typing searches models, layers, matrices and examples',
    scheduled(
      'three matrices are opened',
      'src/app/matrix-picker/search.test.ts, and the list of formats that is searched by keys in e2e/tasks.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open();
      const matrixPicker = await app.openMatrixPicker();
      await page.keyboard.type('llama 8b layer 5 up');
      await expect(matrixPicker.getByRole('option')).toHaveText([/Llama-3\.1-8B › layer 5 › up_proj/]);
      await page.keyboard.press('Enter');
      const address = await app.addressWith('model=llama-3.1-8b');
      expect(address).toContain('layer=5&matrix=up');
      await app.openMatrixPicker();
      await page.keyboard.type('planted');
      await page.keyboard.press('Enter');
      await app.addressWith('src=example:planted-blocks');
      await app.openMatrixPicker();
      await page.keyboard.type('xyzzy');
      await expect(matrixPicker).toContainText('Nothing found.');
      await page.keyboard.press('Escape');
      await app.addressWith('src=example:planted-blocks');
    },
  );
});

test.describe('pruned to', () => {
  test(
    'moving a slider adds one history entry, when it is released',
    scheduled(
      'one of two sliders that preview',
      'N of M in e2e/real-data.spec.ts, and src/app/selection/weights/PrunedPopover.test.tsx',
    ),
    async ({ app, page }) => {
      await openDown(page);
      await expect(prunedButton(page)).toContainText(/50.%/);
      const entries = await page.evaluate(() => history.length);
      await prunedButton(page).click();
      const slider = page.getByRole('slider', { name: 'Left' });
      await slider.hover();
      const box = await slider.boundingBox();
      if (!box) throw new Error('found no slider');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2, { steps: 8 });
      await expect(prunedButton(page)).not.toContainText(/50.%/);
      expect(new URL(page.url()).hash).toContain('prune=magnitude:0.5');
      await page.mouse.up();
      await expect.poll(() => new URL(page.url()).hash).toMatch(/prune=magnitude:0\.[23]/);
      await expect.poll(() => page.evaluate(() => history.length)).toBe(entries + 1);
      await page.keyboard.press('Escape');
      await page.goBack();
      await expect(prunedButton(page)).toContainText(/50.%/);
      await app.addressWith('prune=magnitude:0.5');
    },
  );

  test(
    'the dialog lists every way of pruning, including none, and Wanda if activations are available',
    scheduled(
      'ways of what the test before takes by its slider',
      'src/app/selection/weights/PrunedPopover.test.tsx and src/app/selection/weights/pruning-ways.test.ts',
    ),
    async ({ app, page }) => {
      await app.open();
      await expect(prunedButton(page)).toContainText('not pruned');
      await prunedButton(page).click();
      const pruningDialog = page.getByRole('dialog', { name: 'Pruned to' });
      await expect(pruningDialog.getByRole('radio', { name: /^not pruned/ })).toBeChecked();
      await expect(pruningDialog.getByRole('radio', { name: /^by Wanda/ })).toBeDisabled();
      await pruningDialog.getByRole('radio', { name: /^by magnitude in every row/ }).check();
      await app.addressWith('prune=rows:0.15');
      await pruningDialog.getByRole('radio', { name: /^at random/ }).check();
      await app.addressWith('prune=random:0.15:1');
      await pruningDialog.getByRole('radio', { name: /^N of M/ }).check();
      await app.addressWith('prune=n-of-m:2:4');
      await pruningDialog.getByRole('combobox', { name: 'Pattern' }).selectOption('6:8');
      await app.addressWith('prune=n-of-m:6:8');
      await expect(prunedButton(page)).toContainText('6:8');
      await pruningDialog.getByRole('radio', { name: /^not pruned/ }).check();
      await expect.poll(() => new URL(page.url()).hash).not.toContain('prune=');
      await app.open('#2/watch?src=example:digits-fc1-90&a=macko');
      await prunedButton(page).click();
      await pruningDialog.getByRole('radio', { name: /^by Wanda/ }).check();
      await app.addressWith('prune=wanda:0.05');
    },
  );
});

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test(
    'the picker shows one level at a time, and a press opens the matrix',
    scheduled(
      'three matrices are opened at another width',
      'src/app/matrix-picker/choice.test.ts for the levels, e2e/matrix-picker.spec.ts by mouse, and the list at 390 px in e2e/selection.spec.ts',
    ),
    async ({ app, page }) => {
      await page.goto(`./${DOWN_PROJ}`);
      await page.getByRole('button', { name: /^Change the selection/ }).click();
      const list = page.getByRole('dialog', { name: 'Selection' });
      await list.getByRole('button', { name: /^weights/ }).click();
      const levels = list.getByRole('group', { name: 'Level' });
      await expect(levels.getByRole('button', { name: /^matrix/ })).toHaveAttribute('aria-pressed', 'true');
      await list.getByRole('option', { name: /^q_proj/ }).click();
      await app.addressWith('matrix=q');
      await levels.getByRole('button', { name: /^model/ }).click();
      await list.getByRole('option', { name: /^Llama-2-7B/ }).click();
      const address = await app.addressWith('model=llama-2-7b');
      expect(address).not.toContain('matrix=');
      await levels.getByRole('button', { name: /^layer/ }).click();
      await list.getByRole('slider', { name: 'Layer' }).click({ position: { x: 20, y: 3 } });
      await app.addressWith('layer=0');
      await list.getByRole('button', { name: 'Examples' }).click();
      await list.getByRole('button', { name: /^Arrow/ }).click();
      await app.addressWith('src=example:arrow');
      await list.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('button', { name: /^Change the selection/ })).toContainText('Arrow');
    },
  );

  test(
    'if a file cannot be opened, the list closes so that the message is visible',
    scheduled(
      'one more page load',
      'the broken file of e2e/matrix.spec.ts on a wide page, and the list at 390 px in e2e/selection.spec.ts',
    ),
    async ({ page }) => {
      await page.goto('./');
      await page.getByRole('button', { name: /^Change the selection/ }).click();
      const list = page.getByRole('dialog', { name: 'Selection' });
      await expect(list.getByRole('status').last()).toContainText('MACKO takes 73.4\u202fMB instead of 117.4.');
      await list.getByRole('button', { name: /^weights/ }).click();
      const fileChooser = page.waitForEvent('filechooser');
      await list.getByRole('button', { name: 'File…' }).click();
      const file = { name: 'notes.mtx', mimeType: 'text/plain', buffer: Buffer.from('no matrix') };
      await (await fileChooser).setFiles(file);
      await expect(page.getByRole('alert')).toContainText('notes.mtx: line 1');
      await expect(list).toHaveCount(0);
      await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
    },
  );
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height }, reducedMotion: 'reduce' });

    const isNarrow = width < 480;
    /** Opens a dialog of the selection bar by its button `opener`; on a phone by a row of the list that replaces the bar. */
    const openSelectionDialog = async (page: Page, rowLabel: RegExp, opener: Locator): Promise<void> => {
      if (isNarrow) {
        await page.getByRole('button', { name: /^Change the selection/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: rowLabel }).click();
      } else await opener.click();
    };
    const openWeights = async (page: Page): Promise<void> => {
      await page.goto(`./${DOWN_PROJ}`);
      await openSelectionDialog(page, /^weights/, crumbs(page).getByRole('button', { name: /^Weights/ }));
      await expect(page.getByRole('searchbox')).toBeVisible();
    };

    test(
      'axe finds nothing in the matrix picker',
      scheduled(
        'axe in light and dark at two widths',
        'e2e/axe.spec.ts, which examines the matrix picker in light at 1440 px',
      ),
      async ({ page }) => {
        await openWeights(page);
        if (isNarrow) {
          for (const level of ['model', 'layer', 'region', 'matrix']) {
            await page.getByRole('button', { name: new RegExp(`^${level}`) }).click();
            expect(await axeViolationsInThemes(page), level).toEqual([]);
          }
        } else expect(await axeViolationsInThemes(page)).toEqual([]);
      },
    );

    test(
      'axe finds nothing in the panels of the matrix picker and the results of a search',
      scheduled(
        'axe in light and dark at two widths',
        'e2e/axe.spec.ts, which examines one of the panels in light at 1440 px',
      ),
      async ({ page }) => {
        await openWeights(page);
        for (const name of [isNarrow ? 'Examples' : /^all \d/, 'Hugging Face…', 'Generate…']) {
          await page.getByRole('button', { name }).click();
          await expect(page.getByRole('button', { name: '‹ Back' })).toBeVisible();
          expect(await axeViolationsInThemes(page), String(name)).toEqual([]);
          await page.getByRole('button', { name: '‹ Back' }).click();
          // Without this focus, the next keys would go to the page behind the dialog.
          const next = isNarrow ? page.getByRole('button', { name: 'Examples' }) : page.getByRole('searchbox');
          await expect(next).toBeFocused();
        }
        await page.getByRole('searchbox').fill('llama');
        expect(await axeViolationsInThemes(page), 'search').toEqual([]);
      },
    );

    test(
      'axe finds nothing in the pruning dialog',
      scheduled(
        'axe in light and dark at two widths',
        'e2e/axe.spec.ts, which examines the pruning dialog in light at 1440 px',
      ),
      async ({ page }) => {
        await page.goto(`./${DOWN_PROJ}`);
        await openSelectionDialog(page, /^pruned to/, prunedButton(page));
        await expect(page.getByRole('slider', { name: 'Left' })).toBeVisible();
        expect(await axeViolationsInThemes(page)).toEqual([]);
      },
    );
  });
}
