import { ofLabs } from '../of-labs.mjs';
import { KERNEL_FAULTS } from './kernel-faults.mjs';
import { PLACE_FAULTS } from './place-faults.mjs';
import { FOUND_LATER, SURVIVORS } from './survivors.mjs';
import { NARRATION_FAULTS } from './narration-faults.mjs';
import { SOFTWARE_FAULTS } from './software-faults.mjs';
import { UNIT_FAULTS } from './unit-faults.mjs';

/**
 * A planted fault: a mistake that a person could make, and what has to find it.
 *
 * @typedef {object} Fault
 * @property {string} id
 * @property {string} file
 * @property {string} find occurs once in the file
 * @property {string} put stands in its place
 * @property {string} what it is
 * @property {readonly string[]} kernels that it reaches, for law 6; none for other tests
 * @property {string} test the file of the tests that find it
 * @property {string} title a pattern of their titles
 * @property {string | null} survives why nothing finds it; null if it is found
 * @property {string | null} foundLater why only all cases find it; null if `npm test` does
 */

export const LAW_6 = 'src/formats/contract.gpu.test.ts';

/** @type {readonly Fault[]} */
export const FAULTS = [
  ...KERNEL_FAULTS.map(([id, file, find, put, what, kernels]) => ({
    id,
    file,
    find,
    put,
    what,
    kernels: kernels.split(' '),
    test: LAW_6,
    title: '',
    survives: SURVIVORS[id] ?? null,
    foundLater: FOUND_LATER[id] ?? null,
  })),
  ...[...UNIT_FAULTS, ...NARRATION_FAULTS, ...PLACE_FAULTS, ...SOFTWARE_FAULTS, ...(await ofLabs('faults'))].map(
    ([id, file, find, put, what, test, title = '']) => ({
      id,
      file,
      find,
      put,
      what,
      kernels: [],
      test,
      title,
      survives: SURVIVORS[id] ?? null,
      foundLater: FOUND_LATER[id] ?? null,
    }),
  ),
];

/**
 * Whether a fault reaches a kernel.
 *
 * @param {Fault} fault
 * @param {string} kernel
 */
export const reaches = ({ kernels }, kernel) =>
  kernels.some((name) => (name.endsWith('*') ? kernel.startsWith(name.slice(0, -1)) : kernel === name));

/**
 * Whether two names of kernels may mean the same one.
 *
 * @param {string} a
 * @param {string} b
 */
const meet = (a, b) =>
  a.endsWith('*') || b.endsWith('*')
    ? a.replace('*', '').startsWith(b.replace('*', '')) || b.replace('*', '').startsWith(a.replace('*', ''))
    : a === b;

/**
 * Part of the project whose faults could be taken for one another's: a format, or a folder of src.
 *
 * @param {Fault} fault
 */
const areaOf = ({ file }) => /^(?:src|shaders)\/(?:formats\/)?[^/]+/.exec(file)?.[0] ?? file;

/**
 * Whether two faults cannot be told apart by the tests that fail.
 *
 * @param {Fault} a
 * @param {Fault} b
 */
function collide(a, b) {
  if (a.kernels.length > 0) return a.kernels.some((one) => b.kernels.some((other) => meet(one, other)));
  return areaOf(a) === areaOf(b) || (a.test === b.test && (a.title === '' || b.title === '' || a.title === b.title));
}

/**
 * What runs the tests of a fault.
 *
 * @param {Fault} fault
 */
export const projectOf = ({ test }) =>
  test.endsWith('.gpu.test.ts') ? 'gpu' : test.endsWith('.test.tsx') ? 'components*' : 'unit';

/**
 * Faults that are planted together, since the tests that fail tell them apart. Those that reach most kernels come first, so
 * that rounds are few.
 *
 * @param {readonly Fault[]} faults
 * @returns {readonly Fault[][]}
 */
export function roundsOf(faults) {
  /** @param {Fault} fault */
  const kindOf = (fault) =>
    `${projectOf(fault)} ${fault.kernels.length > 0} ${fault.test.startsWith('src/formats/contract')}`;
  /** @type {Fault[][]} */
  const rounds = [];
  for (const fault of faults.toSorted((a, b) => b.kernels.length - a.kernels.length)) {
    const round = rounds.find(
      (others) => kindOf(others[0]) === kindOf(fault) && !others.some((one) => collide(one, fault)),
    );
    if (round) round.push(fault);
    else rounds.push([fault]);
  }
  return rounds;
}
