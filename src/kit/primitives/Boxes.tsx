import { type ReactNode, useState } from 'react';
import { classes } from './classes.ts';

// Boxes for data: a table that scrolls and heads of its columns, names with values, and a drawer with details.

interface TableScrollProps {
  /** the name of the region, which the keyboard can focus and scroll */
  readonly label: string;
  readonly children: ReactNode;
}

/** A box around a table that may be wider than the page: the table scrolls, and the page does not. */
export function TableScroll({ label, children }: TableScrollProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** The heads of table columns that contain numbers. */
export function NumberHeads({ names }: { readonly names: readonly string[] }) {
  return names.map((name, column) => (
    <th key={[column, name].join()} scope="col" className="number">
      {name}
    </th>
  ));
}

/** Names with their values, on as few lines as possible. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-y-1 gap-x-5 text-12 text-muted">
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline gap-2">
          <dt>{name}</dt>
          <dd className="figure text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DrawerProps {
  /** default: 'details', which screen readers speak with `about` */
  readonly title?: ReactNode;
  /**
   * what the details are about, for users of screen readers, which speak it after the title:
   * 'how it was measured'
   */
  readonly description?: string;
  readonly className?: string;
  /** open at first; default: closed */
  readonly startsOpen?: boolean;
  /** a function is called only while the drawer is open: for content that is slow to draw or to load */
  readonly children: ReactNode | (() => ReactNode);
}

/** More details, closed until the user opens them unless it `startsOpen`. */
export function Drawer({ title, description, className, startsOpen = false, children }: DrawerProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const content = typeof children !== 'function' ? children : isOpen && children();
  return (
    <details
      className={classes('drawer', className)}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="inline-flex items-center min-h-6 rounded-md text-muted text-12 cursor-pointer hover:text-ink pointer-coarse:py-[6px]">
        {title ?? 'details'}
        {description !== undefined && <span className="unseen">: {description}</span>}
      </summary>
      {content}
    </details>
  );
}
