// Only the files of a page name that page, apart from a few lists; and every page has the required parts.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LABS } from '../src/app/labs.ts';
import * as registry from '../src/app/pages.ts';
import { PAGES } from './pages.ts';

const root = resolve(import.meta.dirname, '..');
const allPages = [...registry.PAGES, registry.PRESENTATION, registry.EMBEDDED];
/** The pages of labs; their files are in the lab's folder. */
const labPages = LABS.flatMap(({ pages }) => pages);
const srcPages = allPages.filter((page) => !labPages.some((labPage) => labPage === page));
const folders = readdirSync(resolve(root, 'src/pages'));

/**
 * Every source of the application outside of pages, and of its build. Without index.html, which draws the skeleton of the
 * first page before any code is loaded.
 */
const sources = ['src', 'scripts']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .concat('vite.config.ts')
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/^src\/pages\/|\.test\.tsx?$/.test(path));

/** Lines in which the id of a page has another meaning: a class, code in a text, the line of code of a step. */
const OTHER_MEANINGS = /className="|\bkind: 'code'|(?:Omit|Pick)<\w+, [^>]*'code'/;

/** Returns the lines that match `pattern` outside of comments, as 'path: text'. */
function matchingLines(path: string, pattern: RegExp): readonly string[] {
  return readFileSync(resolve(root, path), 'utf8')
    .split('\n')
    .filter((line) => pattern.test(line.replace(/^\s*(?:\/\/|\/?\*).*/, '')) && !OTHER_MEANINGS.test(line))
    .map((line) => `${path}: ${line.trim()}`);
}

describe('files outside of pages', () => {
  const ids = allPages.map(({ id }) => id).join('|');
  const literal = new RegExp(`(['"\`])(?:${ids})\\1|session\\.setView\\(['"\`]|/pages/(?:${ids})/`);

  test('the pattern for ids of pages matches typical lines', () => {
    expect(sources.length).toBeGreaterThan(500);
    for (const line of [
      `view === 'code'`,
      'id: "watch"',
      `session.setView('compare')`,
      `from '../pages/embed/start.ts'`,
    ]) {
      expect(line).toMatch(literal);
      expect(line).not.toMatch(OTHER_MEANINGS);
    }
    expect('#2/watch?src=').not.toMatch(literal);
  });

  test('files outside of pages name no page, except src/app/pages.ts, labs.ts, services.ts and task.worker.ts', () => {
    const mayName = /^src\/app\/(?:pages|labs|services|task\.worker)\.ts$/;
    const lines = sources.filter((path) => !mayName.test(path));
    expect(lines.flatMap((path) => matchingLines(path, literal))).toEqual([]);
    for (const { id } of srcPages) {
      expect(matchingLines('src/app/pages.ts', new RegExp(`/pages/${id}/page\\.ts'`)), id).toHaveLength(1);
    }
  });

  test('every folder of src/pages is registered as a page, under its id', () => {
    // A lab may replace a page of src.
    const ids = new Set([...srcPages, ...labPages].map(({ id }) => id));
    expect(folders.filter((folder) => !ids.has(folder))).toEqual([]);
    expect(srcPages.map(({ id }) => id).filter((id) => !folders.includes(id))).toEqual([]);
  });
});

describe('the contract of pages', () => {
  test('PAGES of tests equals the pages of the application, in the same order', () => {
    expect(registry.PAGES.map(({ id, title, address, links }) => ({ id, title, address, links }))).toEqual(
      PAGES.map(({ id, title, address, links }) => ({ id, title, address, links })),
    );
  });

  test.each(registry.PAGES.filter((page) => srcPages.includes(page)).map((page) => [page.id, page] as const))(
    'the page %s has page.ts and address.ts',
    (id) => {
      const files = readdirSync(resolve(root, 'src/pages', id));
      expect(files).toContain('page.ts');
      expect(files).toContain('address.ts');
    },
  );

  test('each address and each key belongs to one page', () => {
    const keys = registry.PAGES.flatMap(({ address }) => address?.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { id, address } of registry.PAGES) expect(address?.id ?? id).toBe(id);
    expect(registry.PAGES.filter(({ run }) => run)).toHaveLength(1);
  });

  test('every name of a link belongs to one page', () => {
    const links = registry.PAGES.flatMap(({ links = {} }) => Object.keys(links));
    expect(links).toHaveLength(new Set(links).size);
    const srcLinks = ['code', 'formats', 'group', 'lesson', 'lessons', 'runs', 'settings', 'speedupInModel', 'stage'];
    expect(links).toEqual(expect.arrayContaining(srcLinks));
  });

  test('tables of keys are loaded with their page, each with a title and rows', async () => {
    const keyTables = await Promise.all(
      registry.PAGES.map(async (page) => ({ page, table: (await page.paletteEntries?.())?.keys })),
    );
    expect(keyTables.filter(({ page, table }) => table && srcPages.includes(page))).toHaveLength(3);
    const tables = [...keyTables.flatMap(({ table }) => table ?? []), await registry.PRESENTATION.keys?.()];
    for (const { title, rows } of tables.filter((table) => table !== undefined)) {
      expect(title).not.toBe('');
      expect(rows.length).toBeGreaterThan(0);
    }
  });
});
