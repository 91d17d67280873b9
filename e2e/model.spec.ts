import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { H200_LLAMA_2_7B, modelReport } from '../test/model-reports.ts';
import { expect, test } from './fixtures.ts';
import { objectionsInEither } from './objections.ts';

/** Opens a question's address like a link: the page is loaded anew. */
async function openModel(page: Page, choices = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`./#1/explore/model?src=generated:uniform&shape=64x64&density=0.5${choices}`);
  await expect(page.getByRole('table', { name: /by shape/ })).toBeVisible();
}

const answer = (page: Page) => page.getByRole('heading', { level: 2, name: /at density/ });

/** Imports measurements from another GPU. */
async function importRuns(page: Page): Promise<void> {
  await page.goto('./#1/benchmark?src=generated:uniform&shape=64x64&density=0.5');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from(JSON.stringify(H200_LLAMA_2_7B.map((args) => modelReport(...args))));
  await (await chooser).setFiles({ name: 'h200.json', mimeType: 'application/json', buffer });
  await expect(page.getByRole('main')).toContainText('This browser keeps 1 result');
}

test('a model has its bytes at once, and no speed is claimed without a measurement', async ({ page }) => {
  await openModel(page, '&x.head=yes');
  await expect(answer(page)).toContainText(/8\.5 instead of 13\.5\sGB/);
  await expect(answer(page)).not.toContainText(/tokens|ms/);
  await expect(page.getByRole('region', { name: 'Left out' })).toContainText('0.52');
  await expect(page.getByRole('button', { name: 'Measure this density' })).toBeDisabled();

  const slider = page.getByRole('slider', { name: 'Density', exact: true });
  const thumb = page.getByRole('slider', { name: 'density', exact: true });
  await slider.press('ArrowLeft');
  await expect(thumb).toHaveAttribute('aria-valuenow', '0.49');
  await thumb.press('Shift+ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'density 0.39');
  await expect(answer(page)).toContainText('at density 0.39');
  await expect(page).toHaveURL(/x\.density=0\.39/);

  await page
    .getByRole('region', { name: 'Subject' })
    .getByRole('button', { name: /^Device:/ })
    .click();
  await page.getByRole('dialog', { name: 'Device' }).getByRole('button', { name: 'GeForce RTX 4090' }).click();
  await expect(answer(page)).toContainText(/From bytes alone: at most \d+ tokens\/s on GeForce RTX 4090/);
  await expect(page.getByRole('row', { name: /q, k, v, o/ })).toContainText('≈');

  await page.getByRole('combobox', { name: 'Model' }).selectOption('Llama-3.1-8B');
  await expect(answer(page)).toContainText('Llama-3.1-8B');
  await expect(page.getByRole('row', { name: /lm_head/ })).toContainText('128\u202f256 × 4\u202f096');
});

test('a config.json becomes a model that a link carries by its sizes; a wrong one is reported, and changes nothing', async ({
  page,
}) => {
  await openModel(page);
  await page.getByText('another, by its config.json').click();
  const open = async (name: string, text: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a config.json' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  };
  const config = {
    _name_or_path: 'someone/tiny',
    model_type: 'qwen2',
    hidden_size: 512,
    intermediate_size: 2048,
    num_hidden_layers: 4,
    num_attention_heads: 8,
    num_key_value_heads: 2,
    vocab_size: 32000,
    tie_word_embeddings: true,
  };
  await open('config.json', JSON.stringify({ ...config, num_key_value_heads: 3 }));
  await expect(page.getByText('config.json, num_key_value_heads: found 3, expected a divisor of the 8')).toBeVisible();
  await expect(answer(page)).toContainText('Llama-2-7B');
  await open('config.json', JSON.stringify(config));
  await expect(answer(page)).toContainText('tiny at density');
  await expect(page.getByRole('region', { name: 'Left out' })).toContainText('biases of q, k and v');
  await expect(page).toHaveURL(/x\.model=512-2048-4-8-2-64-32000-tied/);

  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.reload();
  await expect(answer(page)).toContainText('tiny at density');
  expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin) && !/^(?:blob|data):/.test(url))).toEqual(
    [],
  );
});

test('measurements become tokens per second, and can be exported', async ({ page }) => {
  await importRuns(page);
  await openModel(page, '&x.head=yes');
  await expect(answer(page)).toContainText(
    /Its 225 matrices take 3\.53\sms per token on NVIDIA H200, so at most 284 tokens\/s; dense 268\./,
  );
  await expect(page.getByRole('row', { name: /q, k, v, o/ })).toContainText('1.03×');
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: /what was measured as JSON/ }).click();
  const saved: unknown = JSON.parse(await readFile(await (await started).path(), 'utf8'));
  expect(saved).toMatchObject({ density: 0.5, device: 'NVIDIA H200', bytes: { dense: 13_476_298_752 } });
});

test.describe('at 1440 and 390 px', () => {
  test.use({ reducedMotion: 'reduce' });

  test('axe finds nothing in a model, with and without times, and nothing is too wide', async ({ page }) => {
    const expectNothing = async (): Promise<void> => {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await objectionsInEither(page), `at ${width} px`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    };
    await openModel(page);
    await page.getByText('another, by its config.json').click();
    await expectNothing();
    await importRuns(page);
    await openModel(page);
    await expect(answer(page)).toContainText('tokens/s');
    await expectNothing();
  });
});
