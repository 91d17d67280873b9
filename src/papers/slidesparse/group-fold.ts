/** The fold of Watch about a group of any pattern, whose addresses were pages of their own. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format whose story it goes on with */
  format: 'slidesparse',
  /** Addresses that led to it, and what they leave open: the fold, on the matrix that shows the format best. */
  took: Object.fromEntries(
    ['explore/windows', 'compare/windows'].map((path) => [
      path,
      'x.unfold=group&src=example:digits-fc1-6-8&a=slidesparse&fmt=slidesparse',
    ]),
  ),
} as const;
