import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LABS } from '../src/app/labs.ts';
import * as registry from '../src/app/pages.ts';
import { PAGES } from './pages.ts';

const root = resolve(import.meta.dirname, '..');
const all = [...registry.PAGES, registry.PRESENTATION, registry.EMBEDDED];
/** Those of a lab lie in its folder. */
const ofLabs = LABS.flatMap(({ pages }) => pages);
const ofHouse = all.filter((page) => !ofLabs.some((one) => one === page));
const folders = readdirSync(resolve(root, 'src/pages'));

/**
 * Every source of the application outside of the pages, and what builds it. Not index.html: before any code is there it
 * draws the skeleton of the first page.
 */
const sources = ['src', 'scripts']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .concat('vite.config.ts')
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/^src\/pages\/|\.test\.tsx?$/.test(path));

/** Lines in which the id of a page has another meaning: a class, code in a text, the line of code of a step. */
const OTHER_MEANINGS = /className="|\bkind: 'code'|Omit<StepKind, 'code'>/;

/** Lines in which `pattern` is found outside of comments, as 'path: text'. */
function found(path: string, pattern: RegExp): readonly string[] {
  return readFileSync(resolve(root, path), 'utf8')
    .split('\n')
    .filter((line) => pattern.test(line.replace(/^\s*(?:\/\/|\/?\*).*/, '')) && !OTHER_MEANINGS.test(line))
    .map((line) => `${path}: ${line.trim()}`);
}

describe('nothing but a page knows a page', () => {
  const ids = all.map(({ id }) => id).join('|');
  const literal = new RegExp(`(['"\`])(?:${ids})\\1|session\\.setView\\(['"\`]|/pages/(?:${ids})/`);

  test('the search finds ids of pages', () => {
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

  test('outside of its folder a page is one line of src/app/pages.ts, and its services one of src/app/services.ts', () => {
    const mayName = /^src\/app\/(?:pages|labs|services|task\.worker)\.ts$/;
    const lines = sources.filter((path) => !mayName.test(path));
    expect(lines.flatMap((path) => found(path, literal))).toEqual([]);
    for (const { id } of ofHouse) {
      expect(found('src/app/pages.ts', new RegExp(`/pages/${id}/page\\.ts'`)), id).toHaveLength(1);
    }
  });

  test('every folder of src/pages is in the list, under its id', () => {
    // A lab may replace one with its own.
    const ids = new Set([...ofHouse, ...ofLabs].map(({ id }) => id));
    expect(folders.filter((folder) => !ids.has(folder))).toEqual([]);
    expect(ofHouse.map(({ id }) => id).filter((id) => !folders.includes(id))).toEqual([]);
  });
});

describe('the contract of pages', () => {
  test('addresses know the pages of the application, in its order', () => {
    expect(registry.PAGES.map(({ id, title, address, links }) => ({ id, title, address, links }))).toEqual(
      PAGES.map(({ id, title, address, links }) => ({ id, title, address, links })),
    );
  });

  test.each(registry.PAGES.filter((page) => ofHouse.includes(page)).map((page) => [page.id, page] as const))(
    '%s has a file for each of its parts',
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

  test('every link is answered by one page', () => {
    const links = registry.PAGES.flatMap(({ links = {} }) => Object.keys(links));
    expect(links).toHaveLength(new Set(links).size);
    const ofHouse = ['code', 'formats', 'group', 'lesson', 'lessons', 'runs', 'settings', 'stage', 'worth'];
    expect(links).toEqual(expect.arrayContaining(ofHouse));
  });

  test('the key tables arrive, each with a title and rows', async () => {
    const finds = await Promise.all(
      registry.PAGES.map(async (page) => ({ place: page, table: (await page.paletteEntries?.())?.keys })),
    );
    expect(finds.filter(({ place: page, table }) => table && ofHouse.includes(page))).toHaveLength(3);
    const tables = [...finds.flatMap(({ table }) => table ?? []), await registry.PRESENTATION.keys?.()];
    for (const { title, rows } of tables.filter((table) => table !== undefined)) {
      expect(title).not.toBe('');
      expect(rows.length).toBeGreaterThan(0);
    }
  });
});
