// Drives the benchmark page in Chromium on a machine with a GPU.

import { type Browser, launch, type Page } from 'puppeteer-core';
import type { BenchReport } from '../../src/core/report.ts';
import { formats } from '../../src/formats/registry.ts';
import { addressOf, type PageWorkload } from './workloads.ts';

/** WebGPU on the card of a machine without a screen, with features that browsers keep behind a flag. */
const FLAGS = [
  '--no-sandbox',
  '--ignore-gpu-blocklist',
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan,VulkanFromANGLE,DefaultANGLEVulkan',
  '--use-angle=vulkan',
  '--disable-vulkan-surface',
];
/** Time limit of a step. A matrix of 12288 × 12288 is generated, encoded and measured with every variant in about a minute. */
const MAX_MS = 300_000;

/** Runs in the page: puts the text of the JSON file that the page saves into the global variable `savedText` as well. */
function captureSavedFile(): void {
  const globals = globalThis as unknown as { savedText?: Promise<string> };
  const createObjectUrl = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (object: Blob | MediaSource) => {
    if (object instanceof Blob && object.type.includes('json')) globals.savedText = object.text();
    return createObjectUrl(object);
  };
}

/** Opens Chromium; `libraries` is a folder with shared libraries that the machine lacks. */
export function openChromium(executablePath: string, libraries?: string): Promise<Browser> {
  const env = libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
  return launch({ executablePath, headless: true, args: FLAGS, env, protocolTimeout: MAX_MS });
}

/** Runs a workload on the benchmark page of the site as a user would, and returns its report. */
export async function measureOnPage(browser: Browser, site: string, workload: PageWorkload): Promise<BenchReport> {
  // A fresh context, which keeps no results of earlier runs.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  try {
    await page.setViewport({ width: 1440, height: 900 });
    await page.evaluateOnNewDocument(captureSavedFile);
    await page.goto(site + addressOf(workload));
    await waitForRunButton(page);
    await page.select('select[aria-labelledby="operation-title"]', workload.operation);
    for (const [name, value] of Object.entries(workload.sizes ?? {})) await typeNumber(page, name, value);
    await page.select('.variants select', 'all');
    await chooseFormats(page, workload.formats);
    await waitForRunButton(page);
    await clickButton(page, '.bench-run button', /^Run/);
    await page.waitForFunction(
      () => [...document.querySelectorAll('.bench-run button')].some((b) => b.textContent?.startsWith('Run again')),
      { timeout: MAX_MS, polling: 500 },
    );
    await clickButton(page, '.exports button', /^JSON$/);
    await page.waitForFunction(() => 'savedText' in globalThis);
    const text = await page.evaluate(() => (globalThis as unknown as { savedText: Promise<string> }).savedText);
    return JSON.parse(text) as BenchReport;
  } finally {
    await context.close();
  }
}

/** Waits until the button Run is enabled. */
async function waitForRunButton(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll<HTMLButtonElement>('.bench-run button')].some(
        (b) => (b.textContent ?? '').startsWith('Run') && !b.disabled,
      ),
    { timeout: MAX_MS, polling: 200 },
  );
}

/** Clicks the button with this name among the elements that `selector` matches. */
async function clickButton(page: Page, selector: string, name: RegExp): Promise<void> {
  const clicked = await page.evaluate(
    (buttons, source) => {
      const pattern = new RegExp(source);
      const button = [...document.querySelectorAll<HTMLButtonElement>(buttons)].find((b) =>
        pattern.test(b.textContent?.trim() ?? ''),
      );
      button?.click();
      return button !== undefined;
    },
    selector,
    name.source,
  );
  if (!clicked) throw new Error(`${selector}: found no button called ${name.source}`);
}

/** Types a number into the text box with this name. */
async function typeNumber(page: Page, name: string, value: number): Promise<void> {
  const textBox = await page.waitForSelector(`::-p-aria([name="${name}"][role="textbox"])`);
  // A triple click selects the old number.
  await textBox?.click({ count: 3 });
  await textBox?.type(String(value));
  await page.keyboard.press('Tab');
}

/** Ticks the formats with these ids, and unticks all others. */
async function chooseFormats(page: Page, ids: readonly string[]): Promise<void> {
  const titles = formats.filter(({ id }) => ids.includes(id)).map(({ title }) => title);
  await page.evaluate((names) => {
    for (const label of document.querySelectorAll('fieldset label.check')) {
      const checkBox = label.querySelector('input');
      const title = label.querySelector('span:nth-of-type(2)')?.textContent ?? '';
      if (checkBox && !checkBox.disabled && checkBox.checked !== names.includes(title)) checkBox.click();
    }
  }, titles);
}
