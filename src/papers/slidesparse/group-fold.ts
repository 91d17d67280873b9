/** The fold of Watch about a group of any pattern. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format whose story it goes on with */
  format: 'slidesparse',
} as const;
