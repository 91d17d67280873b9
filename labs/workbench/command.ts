/** The programs of this lab that `npx sparsescope` can run; `does`: their line in its help. */
export const programs = {
  prove: { does: 'checks a custom format by the laws of all formats', load: () => import('./scripts/prove.ts') },
} as const;
