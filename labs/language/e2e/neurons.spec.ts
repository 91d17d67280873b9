// The tab Neurons, in the built page.

import { pressAsSoonAsVisible } from '../../../e2e/at-once.ts';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

test(
  'the neurons of a recorded tale are drawn without loading weights, and keys move the current token',
  scheduled(
    'one tab more',
    'labs/language/page/neurons/raster.test.ts, labs/language/page/neurons/firing-record.test.ts and labs/language/page/service/firing-writer.test.ts',
  ),
  async ({ page }) => {
    const weightRequests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.safetensors')) weightRequests.push(request.url());
    });
    await page.goto('./#2/language/neurons?x.model=tales-relu');
    await expect(page.getByRole('heading', { name: /only 16 of 768 neurons per layer/ })).toBeVisible();
    const raster = page.getByRole('img', { name: /^Token \d+ of \d+/ });
    await expect(raster).toBeVisible({ timeout: 120_000 });
    await expect(raster).toHaveAccessibleName(/layer 0 fires [1-9]/);
    expect(weightRequests).toEqual([]);
    /** Counts the blue, opaque pixels in the middle third of each canvas, where the neurons of the layers are drawn. */
    const firingPixels = (): Promise<number> =>
      raster.evaluate((strips) => {
        const minBlueness = 60;
        const minOpacity = 60;
        let count = 0;
        for (const canvas of strips.querySelectorAll('canvas')) {
          const { width, height } = canvas;
          const { data } = canvas.getContext('2d')?.getImageData(0, height / 3, width, height / 3) ?? { data: [] };
          for (let i = 0; i < data.length; i += 4) {
            const red = data[i];
            const blue = data[i + 2];
            const opacity = data[i + 3];
            if (blue - red > minBlueness && opacity > minOpacity) count++;
          }
        }
        return count;
      });
    await expect.poll(firingPixels).toBeGreaterThan(20);
    /** The current token and the number of tokens, from the label of the raster. */
    const currentToken = async (): Promise<{ readonly token: number; readonly total: number }> => {
      const [, token, total] = /^Token (\d+) of (\d+)/.exec((await raster.getAttribute('aria-label')) ?? '') ?? [];
      return { token: Number(token), total: Number(total) };
    };
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(async () => {
        const { token, total } = await currentToken();
        return total - token;
      })
      .toBeGreaterThan(0);
    const { token } = await currentToken();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await currentToken()).token).toBe(Math.max(1, token - 1));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('button', { name: 'layer 1' }).first()).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/x\.layer=1/);
    await page.getByRole('button', { name: 'write all of it here' }).click();
    await pressAsSoonAsVisible(page, 'Escape', 'main span, main p', /^[1-9]\d*\stokens$/);
    await expect(page.getByText('Stopped.')).toBeVisible();
  },
);

test(
  'the tab Neurons shows a ReLU model, and the tab Text again the selected model',
  scheduled('one tab more', 'labs/language/page/model-choice.test.ts, which model is chosen'),
  async ({ app, page }) => {
    await page.goto('./#2/language/neurons');
    await expect(page.getByRole('heading', { name: /only 16 of 768 neurons/ })).toBeVisible();
    await expect(app.selection).toContainText('Tales ReLU 3.4M');
    await expect(app.selection).toContainText('not pruned');
    await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Text' }).click();
    await expect(app.selection).not.toContainText('ReLU');
  },
);
