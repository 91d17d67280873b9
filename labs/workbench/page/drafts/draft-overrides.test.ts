// The override constants of a draft, with their values and origins.

import { expect, it } from 'vitest';
import type { VisiblePass } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { draftOverrides } from './draft-overrides.ts';

const PATH = 'a/scratch.wgsl';
const pass = (code: string, overrides: VisiblePass['overrides']): VisiblePass => ({
  path: PATH,
  code,
  files: [{ path: PATH, code }],
  workgroups: [1, 1, 1],
  bindings: [],
  overrides,
});
const shown = (all: ReturnType<typeof draftOverrides>) =>
  all.map(({ name, value, origin }) => `${name} ${value} ${origin}`);

it('overrides of a draft keep the origins of the kernel’s constants, with added and removed ones', () => {
  const read = pass('override LANES: u32 = 64u;\noverride COLS: u32;\noverride GONE: u32 = 1u;', [
    { name: 'LANES', type: 'u32', value: 64, isSet: true, meaning: '' },
    { name: 'COLS', type: 'u32', value: 90, isSet: true, meaning: '' },
    { name: 'GONE', type: 'u32', value: 1, isSet: false, meaning: '' },
  ]);
  const text = 'override LANES: u32 = 32u;\noverride COLS: u32;\n// Mine.\noverride STEPS: u32 = 6u;';
  const overrides = draftOverrides([read], { files: { [PATH]: text }, overrides: {} }, 32, { COLS: 'matrix' });
  expect(shown(overrides)).toEqual(['LANES 64 free', 'COLS 90 matrix', 'STEPS 6 own']);
  expect(overrides[2].meaning).toBe('Mine.');
});

it('values of constants are evaluated from other constants, the device and uniform fields', () => {
  const code =
    'override LANES: u32 = 64u;\noverride MAX_SUBGROUP_SIZE: u32;\noverride ROWS: u32 = LANES / MAX_SUBGROUP_SIZE;';
  const overrides = draftOverrides([pass('', [])], { files: { [PATH]: code }, overrides: { LANES: 128 } }, 32, {});
  expect(shown(overrides)).toEqual(['LANES 64 own', 'MAX_SUBGROUP_SIZE 32 device', 'ROWS 4 text']);
});
