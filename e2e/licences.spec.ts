// Tests the file of licences of the built site, and the palette that links to it.

import { readFileSync } from 'node:fs';
import { filesIn } from '../scripts/labs.mjs';
import { LICENCES_FILE, licencesIn } from '../scripts/licences.ts';
import { expect, scheduled, test } from './fixtures.ts';

const { devDependencies, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly version: string;
};

/** The packages that files of the page import. */
const imported = filesIn(['src', 'labs'], /\.(tsx?|css)$/)
  .filter((path) => !/\.test\.|^src\/lib\/|^labs\/[^/]+\/(?:bench|e2e|fuzz|scripts|test)\//.test(path))
  .flatMap((path) => {
    const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    return Object.keys(devDependencies).filter((name) =>
      new RegExp(`(from|import) ['"]${name}(/[^'"]*)?['"]`).test(text),
    );
  });

test(
  'the palette shows the version and opens the licences of all packages on the site',
  scheduled(
    'what is in the site is seldom changed',
    'scripts/licences.test.ts, the file of licences of a built site, and src/app/palette/find-anything.test.tsx, which finds the version',
  ),
  async ({ app, page }) => {
    await app.open();
    await page.keyboard.press('ControlOrMeta+k');
    // The palette is loaded when it is first opened: earlier typing would be lost.
    const search = page.getByRole('combobox', { name: 'Find anything' });
    await search.fill('licences');
    await expect(page.getByRole('option', { name: 'About SparseScope' })).toHaveAttribute('aria-selected', 'true');
    await search.press('Enter');
    const aboutDialog = page.getByRole('dialog', { name: `SparseScope ${version}` });
    const licences = aboutDialog.getByRole('link', { name: 'Licences of all its parts' });
    const [popup] = await Promise.all([page.waitForEvent('popup'), licences.click()]);
    await expect.poll(() => popup.url()).toMatch(new RegExp(`/${LICENCES_FILE}$`));
    const licenceTexts = licencesIn(await (await page.request.get(popup.url())).text());
    expect(imported.length).toBeGreaterThan(10);
    expect([...licenceTexts.keys()]).toEqual(expect.arrayContaining(['SparseScope', 'scheduler', ...imported]));
    const granted =
      /Permission is hereby granted|Permission to use, copy, modify|Apache License|SIL Open Font|Redistribution and use/i;
    for (const [name, text] of licenceTexts) expect(text, name).toMatch(granted);
    expect(licenceTexts.get('@fontsource/ibm-plex-sans')).toContain('SIL OPEN FONT LICENSE');
  },
);
