import type { AccessSite } from '../theory/access-steps.ts';

/** A load of four bytes of an array in storage memory, or with changes. */
export const siteOf = (name: string, change: Partial<AccessSite> = {}): AccessSite => ({
  file: 'a.wgsl',
  line: 1,
  name,
  space: 'storage',
  buffer: name,
  elementBytes: 4,
  writes: false,
  ...change,
});
