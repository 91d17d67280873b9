import { resolve } from 'node:path';
import { scriptOf } from '../script-of.mjs';

const RUNTIME = resolve(import.meta.dirname, '../../src/labs/workbench/own/runtime');

/**
 * 'virtual:own-runtime': the scripts of the realms in which formats of one's own run, as texts: of a worker in the sandbox,
 * and of a context in Node.
 *
 * @type {import('vite').Plugin}
 */
export const ownRuntime = {
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

/** What the builds need for this lab. */
export const plugins = [ownRuntime];
