import type { ReactNode, RefObject } from 'react';

interface TableBoxProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** whether the table is too long for the page; see use-windowed-rows.ts */
  readonly windowed: boolean;
  readonly label: string;
  readonly children: ReactNode;
}

/** A box around a table; a long table scrolls in it. */
export function TableBox({ ref, windowed, label, children }: TableBoxProps) {
  if (!windowed) return <div ref={ref}>{children}</div>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <div ref={ref} className="table-box line-above line-below scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** Takes the space of the rows that are not drawn. */
export function RowRoom({ px, columns }: { readonly px: number; readonly columns: number }) {
  if (px === 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}
