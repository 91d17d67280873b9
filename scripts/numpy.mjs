// Finds or installs a Python with NumPy, which the tests of docs/numpy/sparsescope.py need.
import { spawnSync } from 'node:child_process';
import { ensureOptional, namedPath, onPath } from './system-packages.mjs';

/** @type {import('./system-packages.mjs').Wanted} */
const NUMPY = {
  name: 'NumPy',
  packages: { 'apt-get': ['python3-numpy'], dnf: ['python3-numpy'], apk: ['py3-numpy'] },
  variable: 'PYTHON_PATH',
};

/**
 * Finds a Python that can import NumPy: PYTHON_PATH, else the first python3 on the PATH, else the system's, for which
 * package managers install NumPy. Returns undefined if none can. Throws if PYTHON_PATH names no file.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function pythonWithNumpy(env = process.env) {
  const named = namedPath(NUMPY.variable, env);
  const candidates = named ? [named] : [onPath('python3', env), '/usr/bin/python3'];
  return candidates.find((path) => path && spawnSync(path, ['-c', 'import numpy']).status === 0);
}

/** Installs NumPy if it is missing and that is permitted. */
export function ensureNumpy() {
  ensureOptional([{ wanted: NUMPY, find: () => pythonWithNumpy(), tests: 'the tests of docs/numpy/sparsescope.py' }]);
}
