import type { HTMLAttributes } from 'react';
import { classes } from './classes.ts';

/** A gap between parts, in steps of a quarter of a rem. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

interface LayoutProps extends HTMLAttributes<HTMLElement> {
  /** the HTML element, which gives it a meaning for screen readers */
  readonly as?: 'div' | 'section' | 'fieldset';
  readonly gap?: Gap;
}

/** Parts below each other, all as wide as the stack. */
export function Stack({ as: Tag = 'div', gap = 4, className, ...rest }: LayoutProps) {
  return <Tag className={classes('grid grid-cols-1', `gap-${gap}`, className)} {...rest} />;
}

/** Parts side by side; those without space wrap. */
export function Row({ as: Tag = 'div', gap = 3, className, ...rest }: LayoutProps) {
  return <Tag className={classes('flex flex-wrap items-center', `gap-${gap}`, className)} {...rest} />;
}

/** Buttons and other small controls that belong together. */
export function Toolbar({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div className={classes('flex flex-wrap items-center gap-y-2 gap-x-3', className)} {...rest} />;
}
