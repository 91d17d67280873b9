// Links to files on other hosts: the page asks before it requests them.

import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { axeViolations } from './axe-violations.ts';

// Requests that leave the origin are the subject of these tests, so they are answered here.
test.use({ bringsFaults: true });

const MTX = '%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1.5\n3 2 2\n';

/** Answers for the hosts of these tests; records the requested addresses. */
async function web(page: Page): Promise<readonly string[]> {
  const requests: string[] = [];
  await page.route(/far\.example|192\.168\.0\.1/, async (route) => {
    requests.push(route.request().url());
    await route.fulfill({ body: MTX, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
  return requests;
}

const question = (page: Page) => page.getByRole('dialog', { name: /^Open a matrix from / });

test('a link to a new host asks once before any request, and can be answered by keyboard', async ({ app, page }) => {
  const requests = await web(page);
  await page.goto('./#2/watch?src=remote:https://far.example/w.mtx&a=csr&a.indexBits=32&b=none');
  await expect(question(page)).toContainText('https://far.example/w.mtx');
  await page.keyboard.press('Tab');
  await expect(question(page).getByRole('button', { name: 'Do not open' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(question(page).getByRole('button', { name: 'Open from far.example' })).toBeFocused();
  expect(requests).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await app.expectMatrix(/non-zeros\s*2/);
  expect(new Set(requests)).toEqual(new Set(['https://far.example/w.mtx']));
  await page.reload();
  await app.ready();
  await app.expectMatrix(/non-zeros\s*2/);

  // The rest loads the page once more. In `npm test`, src/state/preferences.test.ts removes an origin, and
  // src/state/session/scripts.test.ts answers no.
  if (!RUNS_ALL) return;
  // After the host is removed from the allowed ones, the page asks again; Escape means no.
  const matrixPicker = await app.openMatrixPicker();
  await matrixPicker.getByRole('button', { name: 'Hugging Face…' }).click();
  await page.getByText('hosts that links may open').click();
  await page.getByRole('button', { name: 'Forget https://far.example' }).click();
  await expect(page.getByText('hosts that links may open')).toHaveCount(0);
  await page.reload();
  await expect(question(page)).toBeVisible();
  const before = requests.length;
  await page.keyboard.press('Escape');
  await app.ready();
  await expect(page).toHaveURL(/src=example:/);
  expect(requests).toHaveLength(before);
});

test(
  'a link into a private network asks every time',
  scheduled('the first test of this file asks, refuses and agrees', 'src/state/session/scripts.test.ts'),
  async ({ app, page }) => {
    const requests = await web(page);
    for (let i = 0; i < 2; i++) {
      await page.goto('about:blank');
      await page.goto('./#2/watch?src=remote:http://192.168.0.1/admin.mtx&a=csr&a.indexBits=32&b=none');
      await expect(question(page)).toContainText('192.168.0.1 is this machine, or one on its network.');
      expect(requests).toHaveLength(0);
      if (i === 1) continue;
      await page.keyboard.press('Escape');
      await expect(question(page)).toHaveCount(0);
    }
    await question(page).getByRole('button', { name: 'Open from 192.168.0.1' }).click();
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    await app.ready();
  },
);

test(
  'the question about a link passes axe',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has dialogs'),
  async ({ page }) => {
    await web(page);
    await page.goto('./#2/watch?src=remote:https://far.example/w.mtx&a=csr&a.indexBits=32&b=none');
    await expect(question(page)).toContainText('https://far.example/w.mtx');
    expect(await axeViolations(page, { within: 'dialog' })).toEqual([]);
  },
);
