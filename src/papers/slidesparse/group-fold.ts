/** A fold of Watch (it opens by its title): `AnyGroup`, windows over a group of columns. Known before it is loaded. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format below whose story it appears */
  format: 'slidesparse',
} as const;
