// Vite plugins of the Workbench: the scripts of the sandbox as text.

import { resolve } from 'node:path';
import { bundleScript } from '../../scripts/bundle-script.mjs';

const RUNTIME = resolve(import.meta.dirname, './own/runtime');

/**
 * 'virtual:own-runtime': the scripts that run the modules of custom formats, as texts: for a worker in the sandbox, and
 * for a context in Node.
 *
 * @type {import('vite').Plugin}
 */
export const userRuntime = {
  name: 'own-runtime',
  resolveId: (id) => (id === 'virtual:own-runtime' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:own-runtime') return null;
    const texts = await Promise.all(
      ['worker.ts', 'in-node.ts'].map((file) => bundleScript(resolve(RUNTIME, file), 'ownRuntime')),
    );
    const [runtime, runtimeForNode] = texts.map((text) => JSON.stringify(text));
    return `export const runtime = ${runtime};\nexport const runtimeForNode = ${runtimeForNode};`;
  },
};

/** The Vite plugins that builds need for the workbench. */
export const plugins = [userRuntime];
