import { resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const RUNTIME = resolve(import.meta.dirname, '../src/own/runtime');

/** A program of the project as one script that imports nothing. */
export async function scriptOf(entry: string, name: string, plugins: readonly Plugin[] = []): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: resolve(import.meta.dirname, '..'),
    publicDir: false,
    plugins: [...plugins],
    build: { write: false, target: 'es2023', lib: { entry, formats: ['iife'], name } },
  });
  const [{ output }] = Array.isArray(built) ? built : [];
  return output[0].code;
}

/**
 * 'virtual:own-runtime': the scripts of the realms in which formats of one's own run, as texts: of a worker in the sandbox,
 * and of a context in Node.
 */
export const ownRuntime: Plugin = {
  name: 'own-runtime',
  resolveId: (id) => (id === 'virtual:own-runtime' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:own-runtime') return null;
    const texts = await Promise.all(
      ['worker.ts', 'in-node.ts'].map((file) => scriptOf(resolve(RUNTIME, file), 'ownRuntime')),
    );
    const [runtime, runtimeForNode] = texts.map((text) => JSON.stringify(text));
    return `export const runtime = ${runtime};\nexport const runtimeForNode = ${runtimeForNode};`;
  },
};
