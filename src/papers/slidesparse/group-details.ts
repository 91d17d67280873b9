/**
 * A details section of the page Watch about groups of any size (SlideSparse prunes weights in groups). Its
 * content, `AnyGroup`, loads only when it opens.
 */
export const GROUP_DETAILS = {
  id: 'group',
  title: 'any group',
  /** the format below whose story it appears */
  format: 'slidesparse',
} as const;

/** The id of SlideSparse, and its parameter for the pattern (2N-2):2N: N, half the columns of a group. */
export const SLIDING_FORMAT = GROUP_DETAILS.format;
export const PATTERN_PARAM = 'halfGroup';
