import './folds.css';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Boundary } from './Boundary.tsx';

/** The fold that another part of the page asks to open; null once it is open, or if the current place lacks it. */
export const requestedFold = createStore<string | null>(() => null);

/** A part of the details, which a person can unfold. */
export interface FoldEntry<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly content: ReactNode;
}

interface FoldsProps<Id extends string> {
  readonly folds: readonly FoldEntry<Id>[];
  readonly open: readonly string[];
  readonly onOpen: (open: readonly Id[]) => void;
  /** the fold that the address opened; it is scrolled into view */
  readonly linked?: Id;
  /** a fold that failed is tried again when this changes */
  readonly follows?: string;
  /** at the end of the line, about the whole page */
  readonly aside?: ReactNode;
}

/**
 * The details of a place: the last line of its page is a button. Opened, it lists the titles of the folds, and the open ones
 * are below it. An address that names a fold opens it.
 */
export function Folds<Id extends string>({ folds, open, onOpen, linked, follows, aside }: FoldsProps<Id>) {
  const [unfolded, setUnfolded] = useState<Id | null>(linked ?? null);
  const [isPulled, setPulled] = useState(false);
  const isOpen = isPulled || open.length > 0;
  const names = useId();
  const asked = useStore(requestedFold);
  const answer = useEffectEvent(() => {
    if (asked === null) return;
    if (!folds.some(({ id }) => id === asked)) requestedFold.setState(null, true);
    else if (!open.includes(asked)) onOpen(folds.flatMap(({ id }) => (id === asked || open.includes(id) ? [id] : [])));
  });
  useEffect(() => answer(), [asked]);
  const toggle = (id: Id): void => {
    // Closing the last open fold leaves the list of titles open.
    setPulled(true);
    setUnfolded(open.includes(id) ? null : id);
    onOpen(folds.flatMap((fold) => ((fold.id === id) === open.includes(fold.id) ? [] : [fold.id])));
  };
  return (
    <>
      <div className="folds-line flex items-center gap-2-5 quiet shrink-0 line-above min-h-11">
        <button
          type="button"
          className="folds-name text-start pointer rounded folds-details weight-600 min-h-7 quiet"
          aria-expanded={isOpen}
          aria-controls={names}
          onClick={() => {
            setPulled(!isOpen);
            if (open.length > 0) onOpen([]);
          }}
        >
          details
        </button>
        <div className="folds-names flex wrap min-w-0 grow" id={names}>
          {isOpen &&
            folds.map(({ id, title }) => (
              <button
                key={id}
                type="button"
                className="folds-name text-start pointer rounded min-h-7 quiet"
                aria-expanded={open.includes(id)}
                aria-controls={`fold-${id}`}
                onClick={() => toggle(id)}
              >
                {title}
              </button>
            ))}
        </div>
        {aside}
      </div>
      {folds
        .filter(({ id }) => open.includes(id))
        .map(({ id, title, content }) => (
          <Fold key={id} id={id} title={title} follows={follows} isNew={unfolded === id}>
            {content}
          </Fold>
        ))}
    </>
  );
}

interface FoldProps {
  readonly id: string;
  readonly title: string;
  readonly follows: string | undefined;
  /** the person has just unfolded it, so it is scrolled into view */
  readonly isNew: boolean;
  readonly children: ReactNode;
}

function Fold({ id, title, follows, isNew, children }: FoldProps) {
  const element = useRef<HTMLElement>(null);
  const isAsked = useStore(requestedFold, (asked) => asked === id);
  useEffect(() => {
    if (isNew || isAsked) element.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
    if (!isAsked) return;
    document.querySelector<HTMLElement>(`[aria-controls="fold-${id}"]`)?.focus({ preventScroll: true });
    requestedFold.setState(null, true);
  }, [isNew, isAsked, id]);
  return (
    <section ref={element} id={`fold-${id}`} className="folds-fold shrink-0 line-above" aria-label={title}>
      <h2 className="mb-4">{title}</h2>
      <Boundary
        name={`The fold “${title}”`}
        follows={follows}
        waiting={<div className="folds-room" aria-busy="true" />}
      >
        {children}
      </Boundary>
    </section>
  );
}
