import type { HTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';

/** A step of the scale of gaps: `--space-N` of tokens.css, and 0. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

interface LayoutProps extends HTMLAttributes<HTMLElement> {
  /** the HTML element, which gives it a meaning for screen readers */
  readonly as?: 'div' | 'section' | 'p' | 'ul' | 'ol' | 'span' | 'fieldset';
  readonly gap?: Gap;
  readonly children?: ReactNode;
}

interface StackProps extends LayoutProps {
  /** `start` keeps the width of each part; `stretch` makes all as wide as the stack */
  readonly align?: 'stretch' | 'start';
}

/** Parts below each other. */
export function Stack({ as: Tag = 'div', gap = 4, align = 'stretch', className, ...rest }: StackProps) {
  const start = align === 'start' && 'justify-items-start';
  return <Tag className={classes('grid grid-cols-1', `gap-${gap}`, start, className)} {...rest} />;
}

interface RowProps extends LayoutProps {
  /** the position of the remaining width: after all parts, or between them */
  readonly spread?: 'start' | 'between';
}

/** Parts beside each other; those without space wrap. */
export function Row({ as: Tag = 'div', gap = 3, spread = 'start', className, ...rest }: RowProps) {
  const between = spread === 'between' && 'justify-between';
  return <Tag className={classes('flex flex-wrap items-center', `gap-${gap}`, between, className)} {...rest} />;
}

interface GridProps extends LayoutProps {
  /** minimum width of a column, a CSS length; there are as many columns as fit */
  readonly column: string;
}

const COLUMNS = 'grid grid-cols-[repeat(auto-fill,minmax(min(var(--least-width),100%),1fr))]';

/** Parts in as many columns of equal width as fit. */
export function Grid({ as: Tag = 'div', gap = 3, column, className, style, ...rest }: GridProps) {
  return (
    <Tag
      className={classes(COLUMNS, `gap-${gap}`, className)}
      style={{ ...style, '--least-width': column }}
      {...rest}
    />
  );
}

interface ToolbarProps {
  /** it reports something ongoing, such as progress */
  readonly isStatus?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Buttons and other small controls that belong together. */
export function Toolbar({ isStatus = false, className, children }: ToolbarProps) {
  return (
    <div
      className={classes('flex flex-wrap items-center gap-y-2 gap-x-3', className)}
      role={isStatus ? 'status' : undefined}
    >
      {children}
    </div>
  );
}
