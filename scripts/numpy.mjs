// Finds or installs a Python with NumPy or SciPy, which the tests of docs/numpy/sparsescope.py need.
import { spawnSync } from 'node:child_process';
import { ensureOptional, namedPath, onPath } from './system-packages.mjs';

/** @type {import('./system-packages.mjs').Wanted} */
const NUMPY = {
  name: 'NumPy',
  packages: { 'apt-get': ['python3-numpy'], dnf: ['python3-numpy'], apk: ['py3-numpy'] },
  variable: 'PYTHON_PATH',
};

/** What pip needs to install a folder without the network comes along. */
const SCIPY_PACKAGES = ['scipy', 'setuptools', 'wheel', 'pip'];
/** @type {import('./system-packages.mjs').Wanted} */
const SCIPY = {
  name: 'SciPy',
  packages: {
    'apt-get': SCIPY_PACKAGES.map((name) => `python3-${name}`),
    dnf: SCIPY_PACKAGES.map((name) => `python3-${name}`),
    apk: SCIPY_PACKAGES.map((name) => `py3-${name}`),
  },
  variable: 'PYTHON_PATH',
};

/**
 * Finds a Python that can import modules: PYTHON_PATH, else the first python3 on the PATH, else the system's, for which
 * package managers install them. Returns undefined if none can. Throws if PYTHON_PATH names no file.
 *
 * @param {string} modules
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
function pythonWith(modules, env) {
  const named = namedPath(NUMPY.variable, env);
  const candidates = named ? [named] : [onPath('python3', env), '/usr/bin/python3'];
  return candidates.find((path) => path && spawnSync(path, ['-c', `import ${modules}`]).status === 0);
}

/**
 * A Python that can import NumPy, as PYTHON_PATH names it or as found here; undefined without one.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function pythonWithNumpy(env = process.env) {
  return pythonWith('numpy', env);
}

/**
 * A Python that can import SciPy, and install a folder by pip without the network; undefined without one.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function pythonWithScipy(env = process.env) {
  return pythonWith('scipy.sparse, setuptools, wheel, pip', env);
}

/** Installs NumPy and SciPy if they are missing and that is permitted. */
export function ensureNumpy() {
  ensureOptional([
    { wanted: NUMPY, find: () => pythonWithNumpy(), tests: 'the tests of docs/numpy/sparsescope.py' },
    { wanted: SCIPY, find: () => pythonWithScipy(), tests: 'its tests against SciPy, and of pip' },
  ]);
}
