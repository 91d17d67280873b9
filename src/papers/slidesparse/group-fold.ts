/** Id and title of the section of Watch that holds `AnyGroup`. Apart from it, since Watch knows them before it loads. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format below whose story it appears */
  format: 'slidesparse',
} as const;
