import type { HTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';

/** A step of the one scale of gaps: `--space-N` of tokens.css, and 0. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

interface LayoutProps extends HTMLAttributes<HTMLElement> {
  /** of the element: what it is to a screen reader */
  readonly as?: 'div' | 'section' | 'p' | 'ul' | 'ol' | 'span' | 'fieldset';
  readonly gap?: Gap;
  readonly children?: ReactNode;
}

interface StackProps extends LayoutProps {
  /** `start` leaves each part as wide as it is; `stretch` makes all as wide as the stack */
  readonly align?: 'stretch' | 'start';
}

/** Its parts below each other. */
export function Stack({ as: Tag = 'div', gap = 4, align = 'stretch', className, ...rest }: StackProps) {
  const start = align === 'start' && 'justify-items-start';
  return <Tag className={classes('one-column', `gap-${gap}`, start, className)} {...rest} />;
}

interface RowProps extends LayoutProps {
  /** where what is left of the width goes: behind all parts, or between them */
  readonly spread?: 'start' | 'between';
}

/** Its parts beside each other; those that find no room wrap. */
export function Row({ as: Tag = 'div', gap = 3, spread = 'start', className, ...rest }: RowProps) {
  const between = spread === 'between' && 'justify-between';
  return <Tag className={classes('row', `gap-${gap}`, between, className)} {...rest} />;
}

interface GridProps extends LayoutProps {
  /** least width of a column, a CSS length; there are as many columns as fit */
  readonly column: string;
}

/** Its parts in columns of equal width, as many as fit. */
export function Grid({ as: Tag = 'div', gap = 3, column, className, style, ...rest }: GridProps) {
  return (
    <Tag
      className={classes('even-columns', `gap-${gap}`, className)}
      style={{ ...style, '--least-width': column }}
      {...rest}
    />
  );
}

interface ToolbarProps {
  /** it reports something that goes on, such as a progress */
  readonly isStatus?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Buttons and other small controls that belong together. */
export function Toolbar({ isStatus = false, className, children }: ToolbarProps) {
  return (
    <div className={classes('row gap-2-3', className)} role={isStatus ? 'status' : undefined}>
      {children}
    </div>
  );
}
