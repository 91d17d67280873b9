import { resolve } from 'node:path';
import { build } from 'vite';

/**
 * A program of the project as one script that imports nothing.
 *
 * @param {string} entry
 * @param {string} name
 * @param {readonly import('vite').Plugin[]} [plugins]
 * @returns {Promise<string>}
 */
export async function scriptOf(entry, name, plugins = []) {
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
