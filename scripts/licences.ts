import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

// Writes the file of licences of the built site: the licence texts of all packages whose code or fonts it contains.

/** The name of the file of licences, next to index.html of the built site. */
export const LICENCES_FILE = 'licences.txt';

/** Separates two packages in that file. */
const RULE = `\n\n${'='.repeat(80)}\n\n`;

const LICENCE_NAMES = /^(?:licen[cs]e|copying|ofl|notice)/i;

/**
 * The folder of the package that a module or an asset comes from; null for a file of this project. Build tools insert
 * modules such as `\0vite/...` into bundles.
 */
export function packageFolder(root: string, id: string): string | null {
  const tool = /^\0(vite|rolldown)\//.exec(id)?.[1];
  if (tool !== undefined) return join(root, 'node_modules', tool);
  const path = resolve(root, id.replace(/^\0/, '').replace(/[?#].*$/s, '')).replaceAll('\\', '/');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

/** Name, version and licence of a package, followed by its licence texts. Throws Error if it has none. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(folder).filter((file) => LICENCE_NAMES.test(file));
  if (files.length === 0) {
    throw new Error(`${name}: found no file with its licence, expected one, as the built site carries parts of it`);
  }
  const texts = files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    // The file of a build tool continues with licences of the tool's own dependencies, which are not in what it builds.
    .map((text) => text.split('\n# Licenses of bundled dependencies')[0].trim());
  return [`${name} ${version}`, ...(license === undefined ? [] : [license]), '', ...texts].join('\n');
}

/**
 * Writes the licences of all packages whose code or fonts are in the built site, including those in workers: Vite's own
 * `build.license` sees neither workers nor fonts. `page` and `worker` are for the plugins of each.
 */
export function licences(root: string): { readonly page: Plugin; readonly worker: Plugin } {
  const folders = new Set<string>();
  const collect = (bundle: Rolldown.OutputBundle): void => {
    for (const part of Object.values(bundle)) {
      for (const id of part.type === 'chunk' ? part.moduleIds : part.originalFileNames) {
        const folder = packageFolder(root, id);
        if (folder !== null) folders.add(folder);
      }
    }
  };
  return {
    worker: { name: 'licences-of-workers', apply: 'build', generateBundle: (_, bundle) => collect(bundle) },
    page: {
      name: 'licences',
      apply: 'build',
      enforce: 'post',
      // A style sheet that a style sheet imports is no module.
      transform(_, id) {
        if (!id.endsWith('.css')) return;
        for (const [, name] of readFileSync(id, 'utf8').matchAll(/@import '((?:@[^/']+\/)?[^./'][^/']*)\//g)) {
          folders.add(join(root, 'node_modules', name));
        }
      },
      generateBundle(_, bundle) {
        collect(bundle);
        const projectLicence = `SparseScope\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`;
        const packageLicences = [...folders].map(licenceOf).toSorted();
        this.emitFile({
          type: 'asset',
          fileName: LICENCES_FILE,
          source: `${[projectLicence, ...packageLicences].join(RULE)}\n`,
        });
      },
    },
  };
}

/** Parses a file of licences: the texts by name of the package. */
export function licencesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(RULE).map((part) => {
      const [title, ...lines] = part.split('\n');
      return [title.split(' ')[0], lines.join('\n')] as const;
    }),
  );
}
