// Addresses in a browser (`moment` is the step of a story): reload, changed fragments, Back and Forward, links with errors and links of other
// versions.

import { expect, scheduled, test } from './fixtures.ts';

test(
  'a reload shows the same step with the same picture',
  scheduled(
    'the page is loaded twice',
    'the reloads in e2e/frames.spec.ts and e2e/start.spec.ts, and src/state/url.test.ts, which reads the step back',
  ),
  async ({ app, page }) => {
    await app.open();
    for (let i = 0; i < 4; i++) await app.oneStep();
    await app.expectStep(4);
    await expect(page).toHaveURL(/moment=4/);
    const canvas = app.stage.locator('canvas').first();
    await expect(canvas).toHaveAttribute('aria-label', /./);
    const narrated = await canvas.getAttribute('aria-label');
    await expect(app.narration).toHaveText(narrated ?? '');
    await page.reload();
    await app.ready();
    await app.expectStep(4);
    await expect(app.narration).toHaveText(narrated ?? '');
    await expect(canvas).toHaveAttribute('aria-label', narrated ?? '');
  },
);

test(
  'the page opens the new address if the address changes while the page starts',
  scheduled(
    'the response with the index of examples is delayed',
    'src/state/session/session.test.ts: the last address is shown, for any addresses before it',
  ),
  async ({ app, page }) => {
    let release = (): void => {};
    const answered = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/examples/index.json', async (route) => {
      await answered;
      await route.continue();
    });
    const request = page.waitForRequest('**/examples/index.json');
    await page.goto('./');
    await request;
    await page.evaluate(() => (location.hash = '#2/watch?a=csr&b=none'));
    release();
    await app.ready();
    await app.expectFormat('CSR');
    await expect(page).toHaveURL(/a=csr/);
  },
);

test('Back and Forward undo and redo changes of format and page', async ({ app, page }) => {
  // Changes within 300 ms share a history entry, and a test is faster than that; so the clock is advanced between them.
  const settle = (): Promise<void> => page.clock.runFor(500);
  await page.clock.install();
  await app.open();
  await settle();
  await app.chooseFormat('CSR');
  await expect(page).toHaveURL(/[?&]a=csr/);
  await app.expectFormat('CSR');
  await app.ready();
  await settle();
  await app.link('Measure').click();
  await expect(page).toHaveURL(/#2\/measure/);
  await settle();
  await page.goBack();
  await expect(page).toHaveURL(/#2\/watch/);
  await app.expectFormat('CSR');
  await app.ready();
  await page.goBack();
  await app.expectFormat('MACKO');
  await page.goForward();
  await app.expectFormat('CSR');
});

test(
  'a link to a generated matrix opens the same matrix',
  scheduled(
    'the reading of addresses needs no page',
    'src/state/url.test.ts, and the first screen of every other test that opens a generated matrix',
  ),
  async ({ app, page }) => {
    await app.open(
      '#2/watch?src=generated:uniform&shape=96x160&density=0.2&seed=7&a=macko&a.deltaBits=2&a.valueType=f32&b=none&tokens=8',
    );
    await expect(app.selection).toContainText(/96\s*[×x]\s*160/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page).toHaveURL(/a\.deltaBits=2&a\.valueType=f32&b=none&tokens=8&win=/);
  },
);

test('an address of another version is rejected, and a link with wrong values reports them and opens the rest', async ({
  app,
  page,
}) => {
  await test.step('an address of another version is rejected with a message, and the page stays unchanged', async () => {
    await app.open('#2/watch?src=generated:uniform&shape=96x160&density=0.2&seed=7&a=csr&b=none', { byFrames: true });
    await expect(app.selection).toContainText(/96\s*[×x]\s*160/);
    await expect(page).toHaveURL(/&win=/);
    const { hash } = new URL(page.url());
    await page.evaluate(() => {
      location.hash = '#9/watch?src=generated:uniform&shape=64x64&density=0.5&seed=1&a=macko';
    });
    await expect(page.getByRole('alert')).toHaveText(/Link: found version '9', expected 2; it is not opened\./);
    await expect(app.selection).toContainText(/96\s*[×x]\s*160/);
    await app.expectFormat('CSR');
    expect(new URL(page.url()).hash).toBe(hash);
  });
  await test.step('a link with wrong values reports each in a sentence, and opens the rest', async () => {
    await app.go('#2/watch?src=generated:uniform&shape=64x64&density=7&seed=1&a=csr&a.indexBits=7&b=what&moment=abc');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText("density: found '7'");
    await expect(alert).toContainText("a.indexBits: found '7', expected one of auto, 16, 32");
    await expect(alert).toContainText("b: found 'what', expected none or one of dense");
    await expect(alert).toContainText("moment: found 'abc'");
    await expect(app.selection).toContainText(/64\s*[×x]\s*64/);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect(alert).toHaveCount(0);
  });
});

test(
  'a link of another version shows the first screen',
  scheduled(
    'the reading of addresses needs no page',
    'src/state/url.test.ts; e2e/address.spec.ts, a link with wrong values, tests the same alert',
  ),
  async ({ app, page }) => {
    await page.goto('./#99/watch?src=example:none');
    await expect(page.getByRole('alert')).toContainText("found version '99', expected 2; it is not opened.");
    await expect(app.link('Watch how')).toBeVisible();
  },
);
