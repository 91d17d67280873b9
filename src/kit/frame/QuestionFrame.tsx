import './question-frame.css';
import { type ReactNode, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { type SideColumn, SideColumns } from './SideColumns.tsx';

/** A side panel. */
interface SidePanel {
  /** of the panel, for people who move by landmarks */
  readonly name: string;
  /** of the line that changes its width, for people who cannot see it */
  readonly width: string;
  /** px */
  readonly least: number;
  readonly most: number;
  readonly content: ReactNode;
}

/** The left panel of a narrow page, as a sheet behind a button at the foot. */
interface Sheet {
  readonly title: string;
  readonly button: string;
}

interface QuestionFrameProps {
  /** wide enough for side columns */
  readonly wide: boolean;
  /** of the middle panel */
  readonly name: string;
  /** the panels have it with '-main' or '-narrow' behind it */
  readonly className: string;
  /** px that the middle panel keeps when the others are widened */
  readonly leastCentre: number;
  /** what is asked */
  readonly left: SidePanel;
  /** the answer in detail */
  readonly right: SidePanel;
  /** what follows the answer; on a narrow page, what follows the panels */
  readonly more?: ReactNode;
  /** of a narrow page: which panel is next after the answer, or where the left one is instead */
  readonly narrow: 'left first' | 'right first' | Sheet;
  /** the answer and its charts */
  readonly children: ReactNode;
}

/**
 * A page that answers a question: what is asked, the answer, and its details. Wide, three panels that scroll by
 * themselves, the outer two as wide as a person drags them; narrow, one column that begins with the answer.
 */
export function QuestionFrame(props: QuestionFrameProps) {
  const { wide, name, className, leastCentre, left, right, more, children } = props;
  if (!wide) return <NarrowPage {...props} />;
  return (
    <SideColumns leastCentre={leastCentre} left={columnOf(left)} right={columnOf(right)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, with perhaps nothing to focus in it */}
      <section className={`panel question-main ${className}-main`} id="content" aria-label={name} tabIndex={0}>
        {children}
        {more}
      </section>
    </SideColumns>
  );
}

function NarrowPage({ className, left, right, more, narrow, children }: QuestionFrameProps) {
  return (
    <main className={`narrow-page ${className}-narrow`} id="content" tabIndex={-1}>
      {children}
      {narrow === 'left first' && left.content}
      {right.content}
      {narrow === 'right first' && left.content}
      {more}
      {typeof narrow === 'object' && <SheetAtFoot {...narrow}>{left.content}</SheetAtFoot>}
    </main>
  );
}

function SheetAtFoot({ title, button, children }: Sheet & { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className="question-foot">
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {button}
        </button>
      </div>
      {open && (
        <Dialog kind="sheet" title={title} onClose={() => setOpen(false)}>
          <div className="dialog-body">{children}</div>
        </Dialog>
      )}
    </>
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
