// A user imports a model: from files, from an address, and what happens if that fails.

import type { Page } from '@playwright/test';
import { byteTokenizer } from '../test/decoders.ts';
import { ARCHITECTURES, makeModel, safetensorsOf } from '../test/models/make.ts';
import type { TestFile } from '../../../e2e/files.ts';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolationsInTestAll } from '../../../e2e/axe-violations-in-test-all.ts';

// Some of these tests need servers that reject requests, so they are answered here.
test.use({ bringsFaults: true });

/** A random model of an architecture, in the files of its folder. */
function filesOf(
  architecture: string,
  name: string,
  sizes: Readonly<Record<string, number>> = {},
): readonly TestFile[] {
  const model = makeModel({ ...ARCHITECTURES[architecture], ...sizes }, 7);
  const file = (path: string, content: string | Uint8Array): TestFile => ({
    name: path,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });
  return [
    file('config.json', JSON.stringify({ ...model.config, _name_or_path: `org/${name}` })),
    file('tokenizer.json', JSON.stringify(byteTokenizer())),
    file('model.safetensors', safetensorsOf(model)),
  ];
}

async function openModels(page: Page) {
  await page.getByRole('button', { name: /^Model: / }).click();
  const dialog = page.getByRole('dialog', { name: 'Models that write' });
  await expect(dialog.getByRole('list', { name: 'Models' })).toBeVisible();
  return dialog;
}

async function inspectFiles(page: Page, files: readonly TestFile[]): Promise<void> {
  const fileChooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await fileChooser).setFiles(files.map((file) => ({ ...file })));
}

test(
  'a model from this computer is inspected, saved, writes a text, is listed after a reload, and is removed',
  scheduled(
    'a model writes and is measured, on five tabs',
    'labs/language/models/imported-models.test.ts, labs/language/page/bring/bring.test.tsx, labs/language/page/bring/bringing.test.ts and labs/language/page/bring/user-text-job.test.ts',
  ),
  async ({ app, page }) => {
    await page.goto('./#2/language?a=macko&b=dense&x.fold=figures.matrices');
    const dialog = await openModels(page);
    await expect(dialog).toContainText('None imported yet.');
    expect(await axeViolationsInTestAll(page, { within: 'dialog' })).toEqual([]);
    // The page names all missing files at once, and remembers the chosen ones.
    const files = filesOf('llama', 'Tiny Llama');
    await inspectFiles(page, files.slice(2));
    await expect(dialog.getByRole('alert')).toContainText(
      /config\.json and tokenizer\.json are missing.* Chosen so far: model\.safetensors\./,
    );
    await inspectFiles(page, files.slice(0, 2));
    const plan = dialog.getByRole('region', { name: 'The model Tiny Llama' });
    await expect(plan).toContainText('2 blocks, 24 wide, feed-forward 40 with a gate, 4 heads on 2');
    await expect(plan).toContainText('at 4 bytes a weight');
    await expect(plan.getByRole('heading')).toBeFocused();
    expect(await axeViolationsInTestAll(page, { within: 'dialog' })).toEqual([]);
    await plan.getByRole('checkbox', { name: 'Save it in this browser' }).check();
    await plan.getByRole('button', { name: 'Load' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Model: Tiny Llama' })).toBeVisible();
    await expect(page).toHaveURL(/x\.model=brought/);
    // The selection bar names the model that writes; elsewhere it is unchanged.
    await expect(app.selection).toContainText(/^Tiny Llamapruned to60\s%\sleft by magnitude/);
    await expect(app.selection).not.toContainText('Tales 3.4M');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Watch' }).click();
    await expect(app.selection).toContainText('Tales 3.4M');
    await pages.getByRole('link', { name: 'Language' }).click();
    await expect(app.selection).toContainText('Tiny Llama');

    await expect(page.getByText(/writes up to \d+ tokens when you ask it to\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Write it here' }).click();
    // The list of tokens is there only until the pruned model's own text begins; both texts stay.
    await expect(page.getByRole('region', { name: 'unpruned' }).getByRole('paragraph')).toHaveText(/\S/);
    await expect(page.getByRole('row', { name: /^bits per byte, this text \d/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /unbroken/ })).toHaveCount(0);
    await expect(page.getByText('14 matrices, area is bytes in f16')).toBeVisible();
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    // No tales: its quality is measured on the user's text.
    await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Quality' }).click();
    const text = page.getByRole('textbox', { name: /^Your text/ });
    await text.fill('Too short.');
    await page.getByRole('button', { name: 'Measure this density' }).click();
    await expect(page.getByRole('alert')).toContainText('found 10 characters, expected at least 200');
    await text.fill('The harbour was quiet that morning. '.repeat(8));
    await page.getByRole('button', { name: 'Measure this density' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toContainText(/With 60.% of its weights, Tiny Llama needs/);
    await expect(page.getByRole('row', { name: /^60.% by magnitude \d/ })).toBeVisible();
    await page.getByRole('button', { name: 'Measure each part' }).click();
    await expect(page.getByText(/^First \d+ tokens/)).toBeVisible();
    await expect(page.getByRole('row', { name: /^layer 1 (\S+ ){7}\S+$/ })).toBeVisible();
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    await page.reload();
    await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Text' }).click();
    await expect(page.getByText(/writes up to \d+ tokens when you ask it to\.$/)).toBeVisible();
    const again = await openModels(page);
    await expect(again.getByRole('list', { name: 'Models' })).toContainText('saved in this browser');
    await again.getByRole('button', { name: 'Remove Tiny Llama' }).click();
    await expect(again).toContainText('None imported yet.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: '“Tiny-Llama” is not in this browser' })).toBeVisible();
  },
);

test(
  'a model that is not supported is rejected for its config.json, and servers that fail are named',
  scheduled(
    'one message of the page for each server',
    'labs/language/models/imported-models.test.ts, is rejected before anything but its config was requested and reports the status that the server answered',
  ),
  async ({ page }) => {
    const requests: string[] = [];
    await page.route(/models\.example/, async (route) => {
      const { pathname } = new URL(route.request().url());
      requests.push(pathname);
      const headers = { 'Access-Control-Allow-Origin': '*' };
      if (pathname === '/gemma/config.json') {
        return route.fulfill({ headers, json: { ...ARCHITECTURES.llama, model_type: 'gemma' } });
      }
      if (pathname.startsWith('/private/')) return route.fulfill({ headers, status: 401 });
      if (pathname.startsWith('/closed/')) return route.abort();
      return route.fulfill({ headers, status: 404 });
    });
    await page.goto('./#2/language?x.model=brought:elsewhere-1a2b');
    await expect(page.getByRole('heading', { name: '“elsewhere” is not in this browser' })).toBeVisible();
    expect(requests).toEqual([]);
    const address = page.getByRole('textbox', { name: 'From the web' });
    const inspectAddress = async (folder: string): Promise<void> => {
      await address.fill(`https://models.example/${folder}/`);
      await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    };
    const problem = page.getByRole('alert');
    await inspectAddress('gemma');
    await expect(problem).toContainText("model_type: found 'gemma'");
    expect(new Set(requests)).toEqual(new Set(['/gemma/config.json']));
    await inspectAddress('private');
    await expect(problem).toContainText('401');
    await inspectAddress('nothing');
    await expect(problem).toContainText('404');
    await inspectAddress('closed');
    await expect(problem).toContainText('CORS');
  },
);

test(
  'matrices of a model open in Watch, and neurons that fire are counted while it writes',
  scheduled(
    'a second architecture on the way of the first test',
    'labs/language/page/service/one-matrix.test.ts, labs/language/page/service/firing-writer.test.ts and labs/language/page/neurons/firing-counts.test.ts',
  ),
  async ({ app, page }) => {
    await page.goto('./#2/language?a=macko&b=dense&x.fold=matrices');
    const dialog = await openModels(page);
    await inspectFiles(page, filesOf('opt', 'Tiny OPT'));
    const plan = dialog.getByRole('region', { name: 'The model Tiny OPT' });
    await expect(plan).toContainText('the CPU. Tiny OPT: found layer norms');
    await plan.getByRole('button', { name: 'Load' }).click();
    const tabs = page.getByRole('navigation', { name: 'Language' });
    await tabs.getByRole('link', { name: 'Neurons' }).click();
    await page.getByRole('button', { name: 'Write it here' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toContainText(
      /^\d+ of 40 neurons per layer fire while Tiny OPT writes these \d+ tokens/,
    );
    expect(await axeViolationsInTestAll(page)).toEqual([]);

    await tabs.getByRole('link', { name: 'Speed' }).click();
    await page.getByRole('button', { name: 'details' }).click();
    await page.getByRole('button', { name: 'a token of this model' }).click();
    await expect(page.getByText(/^Tiny OPT: found layer norms, .* The CPU is timed\.$/)).toBeVisible();

    await tabs.getByRole('link', { name: 'Text' }).click();
    await page.getByRole('button', { name: 'details' }).click();
    await page.getByRole('button', { name: 'what a token reads' }).click();
    await page.getByRole('option', { name: /^layer 1, up, not counted/ }).press('Enter');
    await expect(app.selection).toContainText('Tiny OPT, layer 1, up');
    await expect(app.selection).toContainText(/60.% left by magnitude/);
    await app.ready();
    // The page is still about the model, though the selection bar names one of its matrices.
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Language' }).click();
    await expect(page.getByRole('button', { name: 'Model: Tiny OPT' })).toBeVisible();
  },
);

test(
  'a connection that breaks continues where it ended, and files that do not fit are removed again',
  scheduled(
    'the page shows the message of the reader',
    'src/io/web/remote.test.ts, receives a request for the rest, and labs/language/page/bring/bringing.test.ts',
  ),
  async ({ page }) => {
    // A file of more than 64 KiB, since the first 64 KiB are read with its header.
    const files = filesOf('llama', 'Wide Llama', { hidden_size: 96, intermediate_size: 200 });
    let isBroken = false;
    let requestedBytes = 0;
    await page.route(/models\.example/, async (route) => {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag, Content-Range' };
      const file = files.find(({ name }) => route.request().url().endsWith(`/wide/${name}`));
      if (!file) return route.fulfill({ headers, status: 404 });
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec((await route.request().headerValue('range')) ?? '') ?? [];
      const [from, to] = [Number(first), Math.min(file.buffer.length, Number(last) + 1)];
      // The connection breaks for the last part of the weights, but not for the few bytes that identify a model.
      const maxProbeBytes = 4096;
      if (isBroken && from > 0 && to - from > maxProbeBytes) return route.abort();
      if (file.name === 'model.safetensors') requestedBytes += to - from;
      const range = `bytes ${from}-${to - 1}/${file.buffer.length}`;
      const body = file.buffer.subarray(from, to);
      return route.fulfill({ headers: { ...headers, 'Content-Range': range, ETag: '"1"' }, status: 206, body });
    });
    await page.goto('./#2/language');
    const dialog = await openModels(page);
    const inspectAddress = async (): Promise<void> => {
      await page.getByRole('textbox', { name: 'From the web' }).fill('https://models.example/wide/');
      await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    };
    const saveBox = dialog.getByRole('checkbox', { name: 'Save it in this browser' });
    const loadButton = dialog.getByRole('button', { name: 'Load' });
    const problem = dialog.getByRole('alert');
    await inspectAddress();
    await saveBox.check();
    isBroken = true;
    await loadButton.click();
    await expect(problem).toContainText(/the connection broke 4 times at byte [\d\s]+ .* load it again\.$/);
    await expect(saveBox).toBeChecked();
    await dialog.getByRole('button', { name: 'another model' }).click();
    await expect(dialog.getByRole('list', { name: 'Models' })).toContainText(
      /Wide-Llama [\d\s]+\sB downloaded; import it again/,
    );
    isBroken = false;
    await inspectAddress();
    await saveBox.check();
    requestedBytes = 0;
    await loadButton.click();
    await expect(dialog).toHaveCount(0);
    // Saved bytes are not requested again, except for the first, which shows whether the file is still the same.
    expect(requestedBytes).toBeLessThan(files[2].buffer.length - 65_536 + 10);

    await openModels(page);
    await expect(dialog.getByRole('list', { name: 'Models' })).not.toContainText('not whole');
    await dialog.getByRole('button', { name: 'Remove Wide Llama' }).click();
    await expect(dialog).toContainText('None imported yet.');
    await inspectAddress();
    await saveBox.check();
    const { origin } = new URL(page.url());
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await loadButton.click();
    await expect(problem).toContainText(/^Wide Llama: found too little space for its [\d\s]+ bytes in this browser/);
    await saveBox.uncheck();
    await loadButton.click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Model: Wide Llama' })).toBeVisible();
  },
);
