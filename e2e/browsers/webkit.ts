// Drives WebKitGTK over WebDriver, for the tests in other browsers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { WebKitPrograms } from '../../scripts/other-browsers.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { type Driver, PATIENCE_MS } from './driver.ts';

/** WebDriver's codes for keys that are not characters. */
const KEYS: Readonly<Record<string, string>> = {
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  End: '\uE010',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
};
const CONTROL = '\uE009';

/** The key of an element's id in WebDriver's answers (WebDriver specification, "web element identifier"). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Starts WebKitGTK's MiniBrowser on a virtual display, and controls it over WebDriver (https://www.w3.org/TR/webdriver2/). */
export async function startWebKit(programs: WebKitPrograms): Promise<Driver> {
  const display = await startDisplay(programs.display);
  const port = await freePort();
  const server = spawn(programs.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11' },
    stdio: 'inherit',
  });
  const address = `http://127.0.0.1:${port}`;
  await waitForServer(`${address}/status`);
  const alwaysMatch = {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
  };
  const newSession = (await sendCommand(`${address}/session`, 'POST', { capabilities: { alwaysMatch } })) as {
    readonly sessionId: string;
    readonly capabilities: { readonly browserVersion: string };
  };
  const session = `${address}/session/${newSession.sessionId}`;
  const post = (command: string, body: object): Promise<unknown> => sendCommand(`${session}/${command}`, 'POST', body);
  await post('timeouts', { script: PATIENCE_MS });
  await post('window/rect', { x: 0, y: 0, width: 1440, height: 900 });
  /** Returns the part of a command's address that names an element. */
  const findElement = async (xpath: string): Promise<string> => {
    const answer = (await post('element', { using: 'xpath', value: xpath })) as { readonly [ELEMENT]: string };
    return `element/${answer[ELEMENT]}`;
  };
  /** Scrolls first: WebKit regards a button as visible even if its middle is scrolled out of view, and then cannot click it. */
  const click = async (xpath: string): Promise<void> => {
    const path = await findElement(xpath);
    const args = [{ [ELEMENT]: path.slice('element/'.length) }];
    await post('execute/sync', { script: `arguments[0].scrollIntoView({ block: 'center' })`, args });
    await post(`${path}/click`, {});
  };
  return {
    title: `WebKitGTK ${newSession.capabilities.browserVersion}`,
    open: async (url) => {
      // From another page, so that an address that differs only after '#' loads the page anew.
      await post('url', { url: 'about:blank' });
      await post('url', { url });
    },
    evaluate: <A, R>(run: (argument: A) => R, argument: A) =>
      post('execute/sync', { script: `return (${String(run)})(arguments[0])`, args: [argument] }) as Promise<R>,
    click,
    press: async (key, { control } = { control: false }) => {
      const value = KEYS[key] ?? key;
      const keyEvents = [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ];
      const withControl = [{ type: 'keyDown', value: CONTROL }, ...keyEvents, { type: 'keyUp', value: CONTROL }];
      await post('actions', { actions: [{ type: 'key', id: 'keyboard', actions: control ? withControl : keyEvents }] });
    },
    select: (xpath, value) => click(`${xpath}/option[@value="${value}"]`),
    upload: async (xpath, path) => void (await post(`${await findElement(xpath)}/value`, { text: path })),
    screenshot: async () => Buffer.from((await sendCommand(`${session}/screenshot`, 'GET')) as string, 'base64'),
    close: async () => {
      await sendCommand(session, 'DELETE');
      await endProcess(server);
      await endProcess(display.process);
    },
  };
}

/** Sends a command, and returns its answer. Throws an Error with WebDriver's message if the command failed. */
async function sendCommand(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { readonly error: string; readonly message: string };
  throw new Error(`${error}: ${message}`);
}

/** Starts Xvfb (an X server without a screen) on a free display, whose number Xvfb prints. */
async function startDisplay(program: string): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const xvfb = spawn(program, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const output = xvfb.stdio[3];
  if (!output) throw new Error('Xvfb: found no pipe for the number of its display');
  const [number] = (await once(createInterface({ input: output as NodeJS.ReadableStream }), 'line')) as [string];
  return { name: `:${number}`, process: xvfb };
}

/** Waits until a server answers. */
async function waitForServer(url: string): Promise<void> {
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

/** Ends a process, and waits until it has exited. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
