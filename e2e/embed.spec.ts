// Tests of the embedded stage in an iframe of another origin: its messages, the code from Export, and embedded pages of labs.

import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { serveStatic } from './static-server.ts';

const LINK = '#2/embed?src=generated:uniform&shape=4x16&density=0.3&seed=1&a=csr&a.indexBits=32&b=none&moment=2';

/** Serves pages from another port, and so from another origin. Each page is a function of that origin. */
async function servePages(pages: Readonly<Record<string, (origin: string) => string>>): ReturnType<typeof serveStatic> {
  const files: Record<string, string> = {};
  const server = await serveStatic(import.meta.dirname, '/', files);
  for (const [name, page] of Object.entries(pages)) files[name] = page(new URL(server.url).origin);
  return server;
}

/** The messages that the embedding page has received, newest last. */
function receivedMessages(page: Page): Promise<readonly { type: string; step?: number; message?: string }[]> {
  return page.evaluate(() => Reflect.get(window, 'received') as { type: string; step?: number }[]);
}

test('an embedded stage reports each step, and goes to the step that its page requests', async ({ page, baseURL }) => {
  const frame = (origin: string): string =>
    `<iframe src="${baseURL}${LINK}&origin=${origin}" width="960" height="600"></iframe>`;
  const server = await servePages({
    'plain.html': (origin) => `<!doctype html><title>Course</title><h1>Course</h1>${frame(origin)}
      <script>
        window.received = [];
        addEventListener('message', ({ data, origin }) => { if (origin === '${new URL(baseURL ?? '').origin}') window.received.push(data); });
        window.say = (message) => document.querySelector('iframe').contentWindow.postMessage({ sparsescope: 1, ...message }, '*');
      </script>`,
    'stranger.html': () => `<!doctype html><title>Stranger</title>${frame('https://example.org')}
      <script>
        window.received = [];
        addEventListener('message', ({ data }) => window.received.push(data));
        window.say = (message) => document.querySelector('iframe').contentWindow.postMessage({ sparsescope: 1, ...message }, '*');
      </script>`,
  });
  try {
    await page.goto(`${server.url}plain.html`);
    const stage = page.frameLocator('iframe');
    const slider = stage.getByRole('slider', { name: 'Step' });
    await expect(slider).toHaveAttribute('aria-valuenow', '2');
    await expect(stage.locator('canvas').first()).toBeVisible();
    await expect(stage.getByRole('banner')).toHaveCount(0);
    await expect.poll(async () => (await receivedMessages(page))[0]?.type).toBe('ready');
    await slider.press('Shift+ArrowRight');
    await expect.poll(async () => (await receivedMessages(page)).at(-1)).toMatchObject({ type: 'step', step: 3 });
    const send = (message: object): Promise<void> =>
      page.evaluate((m) => (Reflect.get(window, 'say') as (message: object) => void)(m), message);
    await send({ type: 'go', step: 6 });
    await expect(slider).toHaveAttribute('aria-valuenow', '6');
    await send({ type: 'go', chapter: 'nowhere' });
    await expect.poll(async () => (await receivedMessages(page)).at(-1)?.message).toContain("chapter: found 'nowhere'");
    await send({ type: 'go', frame: 2 });
    await expect(stage.getByRole('group', { name: 'Frames' })).toBeVisible();
    await expect.poll(async () => (await receivedMessages(page)).at(-1)).toMatchObject({ type: 'step', frame: 2 });
    // The frame adds no history: back leaves the course page, not a step.
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);

    await page.goto(`${server.url}stranger.html`);
    await expect(slider).toHaveAttribute('aria-valuetext', 'Pack, step 2 of 42');
    await send({ type: 'go', step: 6 });
    await slider.press('Shift+ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuenow', '3');
    // Messages arrive in order. This one is the first, so the stage has sent none to an origin that its address does not name.
    await stage.locator('body').evaluate(() => parent.postMessage({ type: 'last' }, '*'));
    await expect.poll(async () => (await receivedMessages(page)).map(({ type }) => type)).toEqual(['last']);
  } finally {
    await server.close();
  }
});

test(
  'the code from Export opens the current frame, its question can be answered, and format B stays next to A',
  scheduled(
    'four page loads',
    'src/state/embed-address.test.ts for the code, and the embedded stage in e2e/embed.spec.ts',
  ),
  async ({ app, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    /** Opens the address in the exported code in the whole window. */
    const openEmbedded = async (): Promise<void> => {
      await app.button('Export').click();
      const code = await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).inputValue();
      const [, address = ''] = /src="([^"]+)"/.exec(code) ?? [];
      await page.goto('about:blank');
      await page.goto(address.replaceAll('&amp;', '&'));
      await expect(page.getByRole('main')).toContainClass('embed');
    };
    const headline = page.getByRole('main').locator('p[aria-live="polite"]');

    await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=464,261,4,32&frame=5', { byFrames: true });
    const narration = (await app.narration.textContent()) ?? '';
    await openEmbedded();
    await expect(app.count).toHaveText('frame 5 of 11');
    await expect(headline).toHaveText(narration);
    await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText('frame 6 of 11, a question');
    const answers = page.getByRole('region', { name: 'Answers' });
    await answers.getByRole('button', { name: '15', exact: true }).click();
    await expect(answers).toContainText('16 numbers: 0 to 15');
    await page.keyboard.press('Enter');
    await expect(app.count).toHaveText('frame 7 of 11');

    await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=csr&beside=1&win=464,261,4,32&frame=4', {
      byFrames: true,
    });
    const comparisonNarration = (await app.narration.textContent()) ?? '';
    await openEmbedded();
    await expect(app.count).toHaveText(/^frame 4 of/);
    await expect(headline).toHaveText(comparisonNarration);
    // The comparison has this chapter at frame 4; the story of MACKO alone has another.
    await expect(app.button('Frame 4, Pack')).toBeVisible();
  },
);

test(
  'pasting the address of an embedded stage into an open page shows the stage, and Back returns to the page',
  scheduled('one more page load', 'src/state/embed-address.test.ts, and the embedded stage in e2e/embed.spec.ts'),
  async ({ page }) => {
    await page.goto('./#2/compare?a=csr&a.indexBits=32&b=none');
    await expect(page.getByRole('banner')).toBeVisible();
    await page.evaluate((hash) => (location.hash = hash), LINK);
    await expect(page.getByRole('slider', { name: 'Step' })).toHaveAttribute('aria-valuenow', '2');
    await expect(page.getByRole('banner')).toHaveCount(0);
    expect(new URL(page.url()).hash).toBe(LINK);
    await page.goBack();
    await expect(page.getByRole('banner')).toBeVisible();
    await expect(page).toHaveURL(/#2\/compare\?/);
  },
);

test(
  'an embedded address with an unknown page shows the stage and a message',
  scheduled(
    'the reading of addresses needs no page',
    'src/state/embed-address.test.ts, reports an unknown theme and a wrong origin',
  ),
  async ({ page }) => {
    await page.goto('./#2/embed/macko');
    await expect(page.getByText(/^frame 1 of \d+$/)).toBeVisible();
    await expect(page.getByText("found 'macko', expected one of watch")).toBeVisible();
  },
);

test(
  'an embedded page Language shows its recorded text without loading weights, and goes to the requested chapter',
  scheduled(
    'the frame of one more page',
    'src/pages/embed/embedder-messages.test.ts, pageReporter reports the story of a page with its texts, and src/state/embed-address.test.ts',
  ),
  async ({ page, baseURL }) => {
    const weightRequests: string[] = [];
    page.on(
      'request',
      (request) => void (request.url().includes('.safetensors') && weightRequests.push(request.url())),
    );
    const server = await servePages({
      'plain.html': (origin) => `<!doctype html><title>Course</title>
      <iframe src="${baseURL}#2/embed/language?origin=${origin}" width="960" height="600"></iframe>
      <script>
        window.received = [];
        addEventListener('message', ({ data }) => window.received.push(data));
        window.say = (message) => document.querySelector('iframe').contentWindow.postMessage({ sparsescope: 1, ...message }, '*');
      </script>`,
    });
    try {
      await page.goto(`${server.url}plain.html`);
      const frame = page.frameLocator('iframe');
      await expect(frame.getByText(/bits lost in the first/)).toBeVisible();
      await expect.poll(async () => (await receivedMessages(page))[0]).toMatchObject({ type: 'ready' });
      await page.evaluate(() =>
        (Reflect.get(window, 'say') as (message: object) => void)({ type: 'go', chapter: 'free' }),
      );
      await expect
        .poll(async () => (await receivedMessages(page)).at(-1))
        .toMatchObject({ type: 'step', chapter: 'free' });
      await expect(frame.getByRole('button', { name: 'Write it here' })).toBeVisible();
      expect(weightRequests).toEqual([]);
    } finally {
      await server.close();
    }
  },
);
