// The sandbox of custom formats in Firefox and WebKit, where they are installed.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { OTHER_BROWSERS } from '../../../e2e/browsers/browsers.ts';
import type { Driver } from '../../../e2e/browsers/driver.ts';
import { serveWithErrorRecorder } from '../../../e2e/browsers/site.ts';
import { scheduled } from '../../../e2e/fixtures.ts';
import type { StaticServer } from '../../../e2e/static-server.ts';
import { ALL_CLOSED, attacks, clientScript, endless, listen, outcomesOf } from './own/attacks.ts';
import type { client } from './own/client.ts';

const SMALL = '#2/watch?src=generated:uniform&shape=8x16&density=0.25&seed=1&a=macko&b=none&win=0,0,2,8&moment=0';

/** Runs in the page: whether its story is drawn. */
function isReady(): boolean {
  return document.querySelector('#stage')?.getAttribute('aria-busy') === 'false';
}

let site: StaticServer;
test.beforeAll(async () => {
  site = await serveWithErrorRecorder({ 'own-client.js': await clientScript() });
});
test.afterAll(() => site.close());

for (const { name, start } of OTHER_BROWSERS) {
  test.describe(name, () => {
    test.skip(start === null, `found no ${name}: npm test reports why it could not be installed`);

    let driver: Driver;
    test.beforeAll(async () => {
      if (start) driver = await start();
    });
    test.afterAll(() => driver?.close());

    test(
      'runs a custom format, whose attempts to leave the sandbox fail',
      scheduled(
        'workers that loop keep a core for seconds in each browser',
        'labs/workbench/e2e/own-sandbox.spec.ts in Chromium',
      ),
      async () => {
        const listener = await listen();
        try {
          await driver.open(`${site.url}${SMALL}`);
          await expect.poll(() => driver.evaluate(isReady, null), { timeout: 60_000 }).toBe(true);
          await driver.evaluate(() => {
            const script = document.createElement('script');
            script.src = './own-client.js';
            document.head.append(script);
          }, null);
          await expect.poll(() => driver.evaluate(() => 'own' in window, null)).toBe(true);
          /** Calls a method of the client with the text of a module, and returns its report. */
          const reportOf = async (
            name: 'description' | 'roundTrip' | 'channelReport',
            text: string,
            limitMs = 20_000,
          ): Promise<string> => {
            // The driver cannot await a promise of the page, so the report passes through a variable of the page.
            await driver.evaluate(
              ([method, module, ms]) => {
                const { client: sandboxClient } = Reflect.get(window, 'own') as { readonly client: typeof client };
                Reflect.set(window, 'report', '');
                void sandboxClient[method](module, { limitMs: ms }).then((text) => Reflect.set(window, 'report', text));
              },
              [name, text, limitMs] as const,
            );
            const report = (): Promise<string> => driver.evaluate(() => String(Reflect.get(window, 'report')), null);
            await expect.poll(report, { timeout: 120_000 }).not.toBe('');
            return report();
          };
          const csr = readFileSync(resolve(import.meta.dirname, '../own/starters/csr.js'), 'utf8');
          expect(await reportOf('roundTrip', csr)).toBe('decoded the same matrix');
          const loop = csr.replace('starts.push(values.length);', 'for (;;);');
          expect(await endless('encode', (limitMs) => reportOf('roundTrip', loop, limitMs))).toBe(
            'EndedError: encode did not end in time',
          );
          // The worker of an ended module sends nothing more.
          expect(await reportOf('channelReport', '')).toBe('heard while it runs, silent afterwards');
          expect(outcomesOf(await reportOf('description', attacks(listener.address)))).toEqual(ALL_CLOSED);
          // This request arrives, so anything that the module sent before it would have arrived, too.
          await driver.evaluate((to) => void fetch(to, { mode: 'no-cors' }), `http://${listener.address}/last`);
          await expect.poll(() => listener.reached).toContain('/last');
          expect(listener.reached.filter((path) => path !== '/favicon.ico')).toEqual(['/last']);
        } finally {
          await listener.close();
        }
      },
    );
  });
}
