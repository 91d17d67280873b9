import { classes } from '../primitives/classes.ts';

/** Outlines on a 16 × 16 grid, drawn for this application. Filled shapes are marked in FILLED. */
const PATHS = {
  previous: 'M11.500 3.500 5 8l6.500 4.500z',
  play: 'M5 3v10l8.500-5z',
  pause: 'M4.500 3h2.500v10H4.500zM9 3h2.500v10H9z',
  next: 'M4.500 3.500 11 8l-6.500 4.500z',
  close: 'm4 4 8 8M12 4l-8 8',
  left: 'M10 3.500 5.500 8l4.500 4.500',
  right: 'm6 3.500 4.500 4.500L6 12.500',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  window: 'M2.500 2.500h11v11h-11zM5.500 6h5v3.500h-5z',
  share: 'M8 10V2.500M5 5l3-2.500L11 5M3.500 9v4.500h9V9',
  warning: 'M8 2 14.500 13.500h-13zM8 6.500v3.500M8 11.500v.600',
  tick: 'm3 8.500 3.500 3.500L13 4.500',
  search: 'M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9M10.300 10.300 14 14',
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(['previous', 'play', 'pause', 'next']);

/** A small icon next to a word or instead of one. Hidden from screen readers: the button around it has a name. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      className={classes('icon size-4 flex-none', className)}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={PATHS[name]}
        fill={FILLED.has(name) ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
