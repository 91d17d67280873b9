// Files and matrices of the user: tensors of large files, files from the web, pruning, and saving.

import { readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import { serveRanges } from '../test/range-server.ts';
import { virtualSafetensors } from '../test/virtual-file.ts';
import { safetensors, type TestFile } from './files.ts';
import { expect, RUNS_ALL, type SparseScope, scheduled, test } from './fixtures.ts';
import { constants, deflateRawSync } from 'node:zlib';

/** The only member of the archive, of 6 GB by its header. */
function tarHeader(): Buffer {
  const header = Buffer.alloc(512);
  header.write('zeros.bin', 0);
  header.write('0000644\0', 100);
  header[124] = 0x80;
  header.writeBigUInt64BE(6_000_000_000n, 128);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A .tar.gz of about 5 MB that unpacks to more than 4 GiB: 16 MiB of zeros, packed once and repeated. */
function gzipBomb(name: string): TestFile {
  const flushed = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const zeros = deflateRawSync(Buffer.alloc(2 ** 24), flushed);
  const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const parts = [begin, deflateRawSync(tarHeader(), flushed), ...Array<Buffer>(270).fill(zeros)];
  return { name, mimeType: 'application/gzip', buffer: Buffer.concat(parts) };
}

const MODEL = safetensors('model.safetensors');

const BY_MAGNITUDE = /of the whole matrix/;
const N_OF_M = /N of M/;

async function expectNonZeros(app: SparseScope, count: string): Promise<void> {
  await app.expectMatrix(new RegExp(`non-zeros\\s*${count}left`));
}

test.beforeEach(async ({ app }) => {
  await app.open();
});

test(
  'a file of several tensors is inspected before one is opened',
  scheduled(
    'one more page load',
    'src/app/matrix-picker/tensors.test.tsx, previews a tensor before opening it, and the file of e2e/unbroken.spec.ts',
  ),
  async ({ app, page }) => {
    await app.dropFile(MODEL);
    const dialog = page.getByRole('dialog', { name: 'Choose a tensor' });
    await expect(dialog.getByRole('radio')).toHaveCount(3);
    await expect(dialog).toContainText('found shape (2, 2, 2), expected two dimensions');
    await dialog.getByRole('searchbox').fill('down');
    await dialog.getByRole('radio').check();
    await dialog.getByRole('button', { name: 'Look inside' }).click();
    await expect(dialog.getByRole('region', { name: 'What is inside' })).toContainText(/zeros\s*50\.0.*2:4\s*all/s);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await expectNonZeros(app, '1\u202f024');
    await expect(page).toHaveURL(/src=file:model\.safetensors&tensor=layers\.0\.down\.weight/);
    await (await app.openMatrixPicker()).getByRole('button', { name: 'Other tensors' }).click();
    await expect(dialog.getByRole('radio')).toHaveCount(3);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  },
);

test(
  'a file from the web is opened with only the necessary bytes, and a link restores it',
  scheduled(
    'two page loads, with consent',
    'src/io/web/remote.test.ts, and the file from the web in e2e/link-consent.spec.ts',
  ),
  async ({ app, page }) => {
    const ranges: string[] = [];
    await page.route('**/far.safetensors', async (route) => {
      const range = (await route.request().headerValue('range')) ?? '';
      ranges.push(range);
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? ['', '0', '0'];
      const body = MODEL.buffer.subarray(Number(from), Number(to) + 1);
      const headers = { 'Content-Range': `bytes ${from}-${Number(from) + body.length - 1}/${MODEL.buffer.length}` };
      await route.fulfill({ status: 206, headers, body });
    });
    const address = new URL('far.safetensors', page.url()).href;
    const matrixPicker = await app.openMatrixPicker();
    await matrixPicker.getByRole('button', { name: 'Hugging Face…' }).click();
    await page.getByLabel('From the web').fill(address);
    await app.button('Open from the web').click();
    await page.getByRole('radio').nth(1).check();
    await app.button('Open').click();
    await expectNonZeros(app, '1\u202f024');
    expect(ranges[0]).toBe('bytes=0-65535');
    const link = await app.addressWith('far.safetensors');
    await page.goto('about:blank');
    await page.goto(`./${link}`);
    // The server of the test is on localhost, which counts as another host.
    await page.getByRole('button', { name: /^Open from localhost/ }).click();
    await expectNonZeros(app, '1\u202f024');
  },
);

test('a matrix is pruned in every way, changes while a slider moves, and is saved', async ({ app, page }) => {
  await test.step('N of M changes while its slider moves, and matches the preview', async () => {
    const stepsUnpruned = await app.stepCount();
    const pruningDialog = await app.openPruned();
    await pruningDialog.getByRole('radio', { name: N_OF_M }).check();
    await expect(page.getByRole('combobox', { name: 'Pattern' })).toHaveValue('2:4');
    await app.addressWith('prune=n-of-m:2:4');
    await expect.poll(() => app.stepCount()).toBeLessThan(stepsUnpruned);
    const steps = await app.stepCount();
    const slider = page.getByRole('slider', { name: 'Left of 4' });
    await slider.focus();
    await page.keyboard.down('ArrowLeft');
    await expect.poll(() => app.stepCount()).toBeLessThan(steps);
    const previewedSteps = await app.stepCount();
    // The address does not change before the key is released.
    expect(page.url()).toContain('prune=n-of-m:2:4');
    await page.keyboard.up('ArrowLeft');
    await expect(page.getByRole('combobox', { name: 'Pattern' })).toHaveValue('1:4');
    await app.addressWith('prune=n-of-m:1:4');
    await expect.poll(() => app.stepCount()).toBe(previewedSteps);
    await expect(slider).toBeFocused();
    await page.keyboard.press('Escape');
    await (await app.openPruned()).getByRole('radio', { name: /^not pruned/ }).check();
  });
  await test.step('a matrix is pruned in every way, always from the original, and back', async () => {
    const prune = async (way: RegExp): Promise<void> => {
      const pruningDialog = await app.openPruned();
      await pruningDialog.getByRole('radio', { name: way }).check();
    };
    await expectNonZeros(app, '78\u202f643');
    await prune(BY_MAGNITUDE);
    await expectNonZeros(app, '39\u202f322');
    await (await app.openPruned()).getByRole('slider', { name: 'Left' }).press('Home');
    await expectNonZeros(app, '1\u202f311');
    await prune(N_OF_M);
    await page.getByRole('combobox', { name: 'Pattern' }).selectOption('6:8');
    await app.expectMatrix('Pruned to 6:8 along the rows');
    const link = await app.addressWith('prune=n-of-m:6:8');
    await prune(/^not pruned/);
    await expectNonZeros(app, '78\u202f643');
    // The rest loads the page once more for a case of src/state/url.test.ts.
    if (!RUNS_ALL) return;
    await app.open(link);
    await app.openPruned();
    await expect(page.getByRole('combobox', { name: 'Pattern' })).toHaveValue('6:8');
  });
});

test(
  'the window changes while the slider moves, and the figures when it is released',
  scheduled(
    'one of two sliders that preview',
    'src/state/session/live-pruning.test.ts and N of M in e2e/real-data.spec.ts',
  ),
  async ({ app, page }) => {
    const stepsUnpruned = await app.stepCount();
    const pruningDialog = await app.openPruned();
    await pruningDialog.getByRole('radio', { name: BY_MAGNITUDE }).check();
    const hashBefore = await app.addressWith('prune=magnitude:');
    await expect.poll(() => app.stepCount()).toBeLessThan(stepsUnpruned);
    const stepsBefore = await app.stepCount();
    const slider = page.getByRole('slider', { name: 'Left' });
    const moveTo = async (share: number): Promise<void> => {
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      if (!box) throw new Error('found no slider on the screen');
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    };
    await moveTo(0.15);
    await page.mouse.down();
    await moveTo(0.1);
    await expect.poll(() => app.stepCount()).toBeLessThan(stepsBefore);
    await moveTo(0.01);
    expect(new URL(page.url()).hash).toBe(hashBefore);
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).hash).not.toBe(hashBefore);
    // The preview equals the result of releasing the slider there.
    const stepsReleased = await app.stepCount();
    await moveTo(0.01);
    await page.mouse.down();
    await moveTo(0.15);
    await expect.poll(() => app.stepCount()).toBeGreaterThan(stepsReleased);
    await moveTo(0.01);
    await expect.poll(() => app.stepCount()).toBe(stepsReleased);
    await page.mouse.up();
  },
);

test(
  'the matrix and the arrays of its format can be saved as files',
  scheduled(
    'four files of one matrix',
    'test/golden/written-files.test.ts, and the files that e2e/benchmark.spec.ts saves',
  ),
  async ({ app, page }) => {
    await app.button('Export').click();
    for (const [name, file, begin] of [
      ['Matrix as .mtx', 'Digits-second-layer-30-left.mtx', '%%MatrixMarket'],
      ['Matrix as .npz', 'Digits-second-layer-30-left.npz', 'PK'],
      ['Arrays as .npz', 'Digits-second-layer-30-left-macko.npz', 'PK'],
      ['Arrays as .safetensors', 'Digits-second-layer-30-left-macko.safetensors', ''],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      expect((await download).suggestedFilename()).toBe(file);
      expect(readFileSync(await (await download).path(), 'latin1').startsWith(begin)).toBe(true);
    }
  },
);

test(
  'opening a tensor of 8 MB in a file of 5 GB on a server transfers only the header and the tensor',
  scheduled(
    'encodes 4 million weights',
    'src/io/web/remote.test.ts: receives requests for the header and the bytes of the chosen tensor, and no more',
  ),
  async ({ app, page }) => {
    const file = virtualSafetensors([
      ['embed.weight', 40_000, 32_000],
      ['down.weight', 2000, 2000],
      ['up.weight', 40_000, 31_000],
    ]);
    expect(file.size).toBeGreaterThan(5e9);
    const server = await serveRanges();
    try {
      server.files.set('/model.safetensors', { file, etag: '"1"' });
      const matrixPicker = await app.openMatrixPicker();
      await matrixPicker.getByRole('button', { name: 'Hugging Face…' }).click();
      await page.getByLabel('From the web').fill(`${server.origin}/model.safetensors`);
      await app.button('Open from the web').click();
      await page.getByRole('radio', { name: /down\.weight/ }).check();
      await page.getByRole('button', { name: 'Look inside' }).click();
      await expect(page.getByRole('region', { name: 'What is inside' })).toContainText(/zeros\s*0/);
      await app.button('Open').click();
      await expectNonZeros(app, '4\u202f000\u202f000');
      expect(server.sent()).toBeLessThanOrEqual(file.headerBytes + 8.1e6);
    } finally {
      await server.close();
    }
  },
);

test(
  'a tensor after 4 GiB of a local file is opened',
  scheduled('a file of 5 GB', 'src/io/large-files.test.ts'),
  async ({ app, page }) => {
    const file = virtualSafetensors([
      ['embed.weight', 40_960, 65_536],
      ['last.weight', 64, 64],
    ]);
    expect(file.offsetOf('last.weight')).toBeGreaterThan(2 ** 32);
    // A blob of 64 MiB that is referenced eighty times: the file takes no more memory than that.
    const data = await page.evaluateHandle(
      (header) => {
        const zeros = new Blob([new Uint8Array(2 ** 26)]);
        const last = Uint16Array.from({ length: 4096 }, (_, i) => (i < 1234 ? 0x3c00 : 0));
        const transfer = new DataTransfer();
        const parts = [Uint8Array.from(header), ...Array<Blob>(80).fill(zeros), last];
        transfer.items.add(new File(parts, 'large.safetensors'));
        return transfer;
      },
      [...file.bytes(0, file.headerBytes)],
    );
    for (const event of ['dragover', 'drop']) await page.locator('body').dispatchEvent(event, { dataTransfer: data });
    await page.getByRole('radio', { name: /last\.weight/ }).check();
    await app.button('Open').click();
    await expectNonZeros(app, '1\u202f234');
  },
);

test(
  '5 MB that unpack to more than 4 GiB are rejected at a bounded cost, with advice',
  scheduled(
    'unpacks 4 GiB, and its bound is of the memory of a process',
    'src/io/broken-containers.test.ts and src/io/fuzz.test.ts',
  ),
  async ({ app, page, browser }) => {
    test.setTimeout(400_000);
    await expectNonZeros(app, '78\u202f643');
    const memoryBefore = await rendererMiB(browser);
    await app.openFile(gzipBomb('zeros.tar.gz'));
    const alert = page.getByRole('alert').filter({ hasText: 'zeros.tar.gz' });
    let maxMemory = 0;
    await expect
      .poll(
        async () => {
          maxMemory = Math.max(maxMemory, await rendererMiB(browser));
          return alert.count();
        },
        { timeout: 300_000, intervals: [250] },
      )
      .toBe(1);
    await expect(alert).toContainText('gzip: found more than 4\u202f294\u202f967\u202f296 bytes when decompressed');
    await expect(alert.getByRole('button', { name: 'Open up to 16 GiB anyway' })).toBeVisible();
    await expectNonZeros(app, '78\u202f643');
    expect(maxMemory - memoryBefore).toBeLessThan(1024);
  },
);

/** Memory of the largest renderer process, in MiB. */
async function rendererMiB(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  return Math.max(...sizes);
}
