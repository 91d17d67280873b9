import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Builder, By, Capabilities, Key, type WebElement } from 'selenium-webdriver';
import type { WebKitPrograms } from '../../scripts/other-browsers.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { type Driver, PATIENCE_MS } from './driver.ts';

/** WebDriver's codes for keys that are not characters. */
const KEYS: Readonly<Record<string, string>> = {
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  End: Key.END,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Home: Key.HOME,
};

/** WebKitGTK's MiniBrowser, over WebDriver, on a virtual display. */
export async function startWebKit(programs: WebKitPrograms): Promise<Driver> {
  const display = await startDisplay(programs.display);
  const port = await freePort();
  const server = spawn(programs.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11' },
    stdio: 'inherit',
  });
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
  });
  const address = `http://127.0.0.1:${port}`;
  await answers(`${address}/status`);
  const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
  await driver.manage().setTimeouts({ script: PATIENCE_MS });
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 });
  const version = String((await driver.getCapabilities()).get('browserVersion'));
  const element = async (xpath: string): Promise<WebElement> => driver.findElement(By.xpath(xpath));
  return {
    title: `WebKitGTK ${version}`,
    open: async (url) => {
      await driver.get('about:blank');
      await driver.get(url);
    },
    evaluate: (run, argument) => driver.executeScript(`return (${String(run)})(arguments[0])`, argument),
    click: async (xpath) => (await element(xpath)).click(),
    press: async (key, { control } = { control: false }) => {
      const actions = driver.actions();
      if (control) actions.keyDown(Key.CONTROL);
      actions.sendKeys(KEYS[key] ?? key);
      if (control) actions.keyUp(Key.CONTROL);
      await actions.perform();
    },
    select: async (xpath, value) => (await element(`${xpath}/option[@value="${value}"]`)).click(),
    upload: async (xpath, path) => (await element(xpath)).sendKeys(path),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: async () => {
      await driver.quit();
      await ended(server);
      await ended(display.process);
    },
  };
}

/** Starts Xvfb on a free display, whose number it prints. */
async function startDisplay(program: string): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const started = spawn(program, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const said = started.stdio[3];
  if (!said) throw new Error('Xvfb: found no pipe for the number of its display');
  const [number] = (await once(createInterface({ input: said as NodeJS.ReadableStream }), 'line')) as [string];
  return { name: `:${number}`, process: started };
}

/** Waits until a server answers. */
async function answers(url: string): Promise<void> {
  for (const since = Date.now(); ;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (Date.now() - since > PATIENCE_MS) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
