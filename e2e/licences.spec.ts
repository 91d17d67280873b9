import { readFileSync } from 'node:fs';
import { LICENCES_FILE, licencesIn } from '../scripts/licences.ts';
import { expect, test } from './fixtures.ts';

const { dependencies, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly version: string;
};

test('the palette leads to the version and to the licences of everything in the site', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('ControlOrMeta+k');
  // The palette is loaded when it is first opened: earlier typing would be lost.
  const search = page.getByRole('combobox', { name: 'Find anything' });
  await search.fill('licences');
  await expect(page.getByRole('option', { name: 'About SparseScope' })).toHaveAttribute('aria-selected', 'true');
  await search.press('Enter');
  const about = page.getByRole('dialog', { name: `SparseScope ${version}` });
  const licences = about.getByRole('link', { name: 'Licences of all its parts' });
  const [opened] = await Promise.all([page.waitForEvent('popup'), licences.click()]);
  await expect.poll(() => opened.url()).toMatch(new RegExp(`/${LICENCES_FILE}$`));
  const found = licencesIn(await (await page.request.get(opened.url())).text());
  expect([...found.keys()]).toEqual(expect.arrayContaining(['SparseScope', 'scheduler', ...Object.keys(dependencies)]));
  const granted =
    /Permission is hereby granted|Permission to use, copy, modify|Apache License|SIL Open Font|Redistribution and use/i;
  for (const [name, text] of found) expect(text, name).toMatch(granted);
  expect(found.get('@fontsource/ibm-plex-sans')).toContain('SIL OPEN FONT LICENSE');
});
