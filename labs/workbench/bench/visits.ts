// Measures how long a user waits for a custom format: for laws, for the picture, and for encoding.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '../../../e2e/fixtures.ts';
import { clientScript } from '../e2e/own/attacks.ts';
import type { client } from '../e2e/own/client.ts';
import { keepMin } from '../../../bench/page/keep-min.ts';

// Code is loaded ahead, as on the page of a visitor.
test.use({ loadsAhead: true });

test.describe('in the sandbox', () => {
  // The sandbox has no storage, which the script that opens the details sections requires.
  test.use({ bringsFaults: true });

  test('a format of one’s own', async ({ app, browser, page }) => {
    const script = await clientScript();
    await page.route('**/own-client.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    await app.open();
    await page.addScriptTag({ url: './own-client.js' });
    const text = readFileSync(resolve(import.meta.dirname, '../own/starters/csr.js'), 'utf8');
    const budgets = {
      'CSR in the sandbox: all laws': null,
      'CSR in the sandbox: from its text to the first picture, 64 × 64': null,
      'CSR in the sandbox: encode, 4096 × 4096, half left': null,
      'CSR of the page: encode, 4096 × 4096, half left': null,
    };
    // The text differs in every turn, so that nothing is reused from the turn before.
    await keepMin({ browser, page }, budgets, async (turn) => {
      const { laws, picture, large } = await page.evaluate(async (module) => {
        const { client: own } = Reflect.get(window, 'own') as { readonly client: typeof client };
        return {
          laws: await own.laws(module),
          picture: await own.picture(module),
          large: await own.large(module, 4096),
        };
      }, `${text}\n// ${turn}`);
      expect([laws.laws, picture.output, large.output]).toEqual([
        expect.stringContaining('told true'),
        expect.stringMatching(/[Ss]tored: .* to /),
        'true',
      ]);
      return {
        'CSR in the sandbox: all laws': laws.ms,
        'CSR in the sandbox: from its text to the first picture, 64 × 64': picture.ms,
        'CSR in the sandbox: encode, 4096 × 4096, half left': large.ms,
        'CSR of the page: encode, 4096 × 4096, half left': large.ourMs,
      };
    });
  });
});
