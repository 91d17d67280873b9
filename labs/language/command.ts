/** Programs of `npx sparsescope` that belong to this lab. */
export const programs = {
  tokens: { does: 'times whole tokens at the sizes of a model', load: () => import('./bench/decode.ts') },
} as const;
