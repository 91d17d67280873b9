/** A collapsible section (fold) of the page Watch: `AnyGroup`, whose code loads only when the section opens. */
export const GROUP_FOLD = {
  id: 'group',
  title: 'any group',
  /** the format below whose story it appears */
  format: 'slidesparse',
} as const;
