// Drives Firefox over WebDriver BiDi, for the tests in other browsers.

import { type ElementHandle, type KeyInput, launch } from 'puppeteer-core';
import { type Driver, PATIENCE_MS } from './driver.ts';

/** Starts an unmodified Firefox without a window, and controls it over WebDriver BiDi (Puppeteer). */
export async function startFirefox(executablePath: string): Promise<Driver> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
    timeout: PATIENCE_MS,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const element = async (xpath: string): Promise<ElementHandle<Element>> => {
    const handle = await page.$(`::-p-xpath(${xpath})`);
    if (!handle) throw new Error(`${xpath}: found no element`);
    return handle;
  };
  return {
    title: (await browser.version()).replace('/', ' '),
    open: async (url) => {
      await page.goto('about:blank');
      await page.goto(url);
    },
    // The function is passed as text: Puppeteer's types for a function would require handles.
    evaluate: <A, R>(run: (argument: A) => R, argument: A) =>
      page.evaluate(`(${String(run)})(${JSON.stringify(argument)})`) as Promise<R>,
    click: async (xpath) => (await element(xpath)).click(),
    press: async (key, { control } = { control: false }) => {
      if (control) await page.keyboard.down('Control');
      await page.keyboard.press(key as KeyInput);
      if (control) await page.keyboard.up('Control');
    },
    select: async (xpath, value) => void (await (await element(xpath)).select(value)),
    upload: async (xpath, path) => {
      const input = (await element(xpath)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
    },
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
