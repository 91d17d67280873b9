/** The programs of this lab that `npx sparsescope` can run; `does`: their line in its help. */
export const programs = {
  prove: { does: 'the laws of a format of one’s own', load: () => import('./scripts/prove.ts') },
} as const;
