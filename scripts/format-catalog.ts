// Vite plugin: at build time, imports the registry of formats and writes the parts of it that the page needs as virtual modules.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import type { AnyFormat, EncodedMatrix } from '../src/core/format.ts';
import type { KernelCard, KernelSpec } from '../src/core/kernel/kernel.ts';
import { shaderModules } from './shader-modules.ts';

const REGISTRY = resolve(import.meta.dirname, '../src/formats/registry.ts');
const WITH_STORY = resolve(import.meta.dirname, '../src/story/declared/with-story.ts');
const PLANS = resolve(import.meta.dirname, 'kernel-plans.ts');
const READER = resolve(import.meta.dirname, '../src/engine/kernel-reading/kernel-reading.ts');

/** The virtual modules. Vite calls a module that a plugin writes by its name after \0 once it is resolved. */
const CATALOG = 'virtual:format-catalog';
const CATALOG_RESOLVED = `\0${CATALOG}`;
const LIMITS = 'virtual:kernel-limits';
const HASHES = 'virtual:kernel-hashes';
const HASHES_RESOLVED = `\0${HASHES}`;
const TEXTS = 'virtual:kernel-texts';
const TEXTS_RESOLVED = `\0${TEXTS}`;
const MODULES = [CATALOG, LIMITS, HASHES, TEXTS];
/** Whether a module is one of these, or the texts of a format's kernels. */
const isOurs = (id: string): boolean => MODULES.includes(id) || id.startsWith(`${TEXTS}/`);

/** The exports of kernel-reading.ts, which only a bundler can import: kernels import WGSL. */
interface Reader {
  readonly kernelSource: (
    host: { readonly formats: readonly AnyFormat[] },
    request: { readonly kernel: string; readonly params: object },
  ) => { readonly passes: readonly { readonly files: readonly { readonly path: string }[] }[] };
}

/** The exports of kernel-plans.ts, which only a bundler can import: kernels import WGSL. */
interface Plans {
  readonly kernelHashes: (formats: readonly AnyFormat[]) => Readonly<Record<string, string>>;
}

/** The registry's exports. */
interface Registry {
  readonly formats: readonly AnyFormat[];
  readonly referenceFormat: AnyFormat;
  readonly baselineFormat: AnyFormat;
  readonly firstFormat: AnyFormat;
}

/**
 * Writes 'virtual:format-catalog', typed by src/formats/catalog.ts: for every format of the registry its card, and its kernels
 * without their plans; and the limits, hashes and texts of kernels. The registry runs at build time, so that everything shown
 * of it has a single source and the page loads none of the code behind it.
 */
export function formatCatalog(): Plugin {
  // All modules come from one run of the registry, which lasts seconds.
  const imports = new Map<string, ReturnType<typeof importNow>>();
  return {
    name: 'format-catalog',
    watchChange: () => imports.clear(),
    resolveId: (id) => (isOurs(id) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith('\0') || !isOurs(id.slice(1))) return null;
      const imported = async <T>(file: string): Promise<T> => {
        const importing = imports.get(file) ?? importNow(file);
        imports.set(file, importing);
        const { module, dependencies } = await importing;
        for (const dependency of dependencies) this.addWatchFile(resolve(import.meta.dirname, '..', dependency));
        return module as T;
      };
      const registry = await imported<Registry>(REGISTRY);
      if (id === HASHES_RESOLVED) {
        const { kernelHashes } = await imported<Plans>(PLANS);
        return `export const hashes = ${JSON.stringify(kernelHashes(registry.formats))};`;
      }
      if (id === TEXTS_RESOLVED) return textsModule(registry);
      if (id.startsWith(TEXTS_RESOLVED)) {
        const format = registry.formats.find((candidate) => id === `${TEXTS_RESOLVED}/${candidate.id}`);
        return format ? formatTextsModule(registry, format, await imported<Reader>(READER)) : null;
      }
      return id === CATALOG_RESOLVED ? catalogModule(registry) : limitsModule(registry);
    },
  };
}

/** Imports a file of the project at build time, with its dependencies. */
function importNow(file: string) {
  return runnerImport<unknown>(file, {
    root: resolve(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'error',
    plugins: [shaderModules('texts')],
  });
}

/** The JavaScript of 'virtual:format-catalog'. */
export function catalogModule(registry: Registry): string {
  const { formats } = registry;
  const cardOf = (id: string): string => JSON.stringify(resolve(REGISTRY, '..', id, 'card.ts'));
  const indexOf = (format: AnyFormat): number => formats.indexOf(format);
  return [
    ...formats.map(({ id }, i) => `import { card as card${i} } from ${cardOf(id)};`),
    'export const catalog = [',
    ...formats.map(
      ({ id, kernels }, i) =>
        `  { ...card${i},${derivedStoryOf(id)} kernels: ${JSON.stringify(kernels.map(cardOfKernel))} },`,
    ),
    '];',
    `export const referenceFormat = catalog[${indexOf(registry.referenceFormat)}];`,
    `export const baselineFormat = catalog[${indexOf(registry.baselineFormat)}];`,
    `export const firstFormat = catalog[${indexOf(registry.firstFormat)}];`,
  ].join('\n');
}

/** JavaScript that derives the story of a format without a folder story/ on request; else ''. */
function derivedStoryOf(id: string): string {
  const [story, index] = ['story/index.ts', 'index.ts'].map((file) => resolve(REGISTRY, '..', id, file));
  if (existsSync(story)) return '';
  const importedFormat = `Object.values(await import(${JSON.stringify(index)})).find((one) => one.id === ${JSON.stringify(id)})`;
  return ` story: async () => (await import(${JSON.stringify(WITH_STORY)})).withStory(${importedFormat}).story(),`;
}

/** The JavaScript of 'virtual:kernel-limits': what limits each kernel, by its id. */
export function limitsModule({ formats }: Pick<Registry, 'formats'>): string {
  const limits = Object.fromEntries(formats.flatMap((format) => Object.entries(format.limits ?? {})));
  return `export const limits = ${JSON.stringify(limits)};`;
}

/** The JavaScript of 'virtual:kernel-texts': a function for each format that loads the texts of its kernels. */
function textsModule({ formats }: Registry): string {
  const entries = formats.map(
    ({ id }) => `  ${JSON.stringify(id)}: () => import(${JSON.stringify(`${TEXTS}/${id}`)}),`,
  );
  return ['export const texts = {', ...entries, '};'].join('\n');
}

/** The JavaScript of the texts of a format's kernels, as the page Code reads them before its worker has started. */
function formatTextsModule({ formats }: Registry, { kernels }: AnyFormat, { kernelSource }: Reader): string {
  const files = new Map<string, unknown>();
  const readings = kernels.map(({ id }) => {
    const reading = kernelSource({ formats }, { kernel: id, params: {} });
    const passes = reading.passes.map((pass) => {
      for (const file of pass.files) files.set(file.path, file);
      // The page joins the files when it needs them as one text.
      return { ...pass, code: '', files: pass.files.map(({ path }) => path) };
    });
    return [id, { ...reading, passes }] as const;
  });
  return [
    `export const files = ${JSON.stringify(Object.fromEntries(files))};`,
    `export const readings = ${JSON.stringify(Object.fromEntries(readings))};`,
  ].join('\n');
}

/** The properties of a kernel that lists show. */
const CARD_PROPERTIES = ['id', 'title', 'operation', 'features', 'only', 'max', 'arithmetic', 'isSimple'] as const;

function cardOfKernel(spec: KernelSpec<EncodedMatrix>): Partial<KernelCard> {
  return Object.fromEntries(CARD_PROPERTIES.flatMap((name) => (spec[name] ? [[name, spec[name]]] : [])));
}
