import type { ReactNode } from 'react';
import { type SideColumn, SideColumns } from './SideColumns.tsx';

/** A panel beside the middle one. */
export interface SidePanel {
  /** of the panel, for who moves by landmarks */
  readonly name: string;
  /** of the line that changes its width, for who cannot see it */
  readonly width: string;
  /** px */
  readonly least: number;
  readonly most: number;
  readonly content: ReactNode;
}

export interface ThreePanelsProps {
  readonly left: SidePanel;
  readonly right: SidePanel;
  /** of the middle panel */
  readonly name: string;
  readonly className: string;
  /** px that the middle panel keeps when the others are widened */
  readonly leastCentre: number;
  readonly children: ReactNode;
}

/** A page of three panels, each of which scrolls by itself; the outer two are as wide as a person drags them. */
export function ThreePanels({ left, right, name, className, leastCentre, children }: ThreePanelsProps) {
  return (
    <SideColumns leastCentre={leastCentre} left={columnOf(left)} right={columnOf(right)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, with perhaps nothing to focus in it */}
      <section className={`panel ${className}`} id="content" aria-label={name} tabIndex={0}>
        {children}
      </section>
    </SideColumns>
  );
}

function columnOf({ name, width, least, most, content }: SidePanel): SideColumn {
  return {
    label: width,
    least,
    most,
    content: (
      <aside className="panel panel--side" aria-label={name}>
        {content}
      </aside>
    ),
  };
}
