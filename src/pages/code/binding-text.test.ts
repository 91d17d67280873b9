import { expect, it } from 'vitest';
import type { VisibleBinding } from '../../engine/kernel-reading/kernel-reading-types.ts';
import { bindingText } from './KernelDetails.tsx';

const LISTS: VisibleBinding = {
  binding: 0,
  name: 'lists',
  type: 'array<u32>',
  access: 'read-only-storage',
  meaning: 'One per row.',
  role: 'sparse',
  buffer: 'lists',
  byteClass: null,
  bytes: 64,
  numbers: [],
};

it('an array that no ledger lists is not one of the format’s arrays', () => {
  expect(bindingText(LISTS)).toBe('array<u32>, read only: lists, made for this kernel. One per row.');
  expect(bindingText({ ...LISTS, buffer: 'indptr', byteClass: 'metadata' })).toBe(
    'array<u32>, read only: array indptr of the format. One per row.',
  );
});
