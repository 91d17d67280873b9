/** Id and title of the section of Watch on windows over a group of columns, `AnyGroup`: Watch knows them before it loads. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format below whose story it appears */
  format: 'slidesparse',
} as const;
