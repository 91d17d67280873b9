import { resolve } from 'node:path';
import { build } from 'vite';

/**
 * Bundles a program of the project as the text of one script that imports nothing; `name` is the global with its exports.
 *
 * @param {string} entry path of its main module

 * @param {string} name
 * @param {readonly import('vite').Plugin[]} [plugins]
 * @returns {Promise<string>}
 */
export async function bundleScript(entry, name, plugins = []) {
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
