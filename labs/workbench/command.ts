/** Programs of `npx sparsescope` that belong to this lab. */
export const programs = {
  prove: { does: 'the laws of a format of one’s own', load: () => import('./scripts/prove.ts') },
} as const;
