import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Boundary } from './Boundary.tsx';

/** The id of the section that another component opens; null once the section is open, or if the page lacks it. */
export const requestedDetails = createStore<string | null>(() => null);

/** A section of the details at the end of a page, which a user opens by its title. */
export interface DetailsEntry<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly content: ReactNode;
}

interface DetailsProps<Id extends string> {
  readonly sections: readonly DetailsEntry<Id>[];
  readonly open: readonly string[];
  readonly onOpen: (open: readonly Id[]) => void;
  /** the section that the address opened; it is scrolled into view */
  readonly linked?: Id;
  /** a section that failed is tried again when this changes */
  readonly resetKey?: string;
  /** at the end of the line of titles, about the whole page */
  readonly aside?: ReactNode;
}

/** The details at the end of a page: a button 'details' lists the titles of all sections; a title opens its section. */
export function Details<Id extends string>({ sections, open, onOpen, linked, resetKey, aside }: DetailsProps<Id>) {
  const [lastOpened, setLastOpened] = useState<Id | null>(linked ?? null);
  const [isListOpen, setListOpen] = useState(false);
  const isOpen = isListOpen || open.length > 0;
  const listId = useId();
  const requested = useStore(requestedDetails);
  const openRequested = useEffectEvent(() => {
    if (requested === null) return;
    if (!sections.some(({ id }) => id === requested)) requestedDetails.setState(null, true);
    else if (!open.includes(requested))
      onOpen(sections.flatMap(({ id }) => (id === requested || open.includes(id) ? [id] : [])));
  });
  useEffect(() => openRequested(), [requested]);
  const toggle = (id: Id): void => {
    // Closing the last open section leaves the list of titles open.
    setListOpen(true);
    setLastOpened(open.includes(id) ? null : id);
    onOpen(sections.flatMap((section) => ((section.id === id) === open.includes(section.id) ? [] : [section.id])));
  };
  return (
    <>
      <div className="details-line flex items-center gap-y-2 gap-x-5 text-muted flex-none border-t border-hairline min-h-11 mt-auto max-sm:has-[>[aria-expanded=true]]:items-start">
        <button
          type="button"
          className="details-name text-start cursor-pointer rounded-md -outline-offset-2 font-semibold min-h-7 pe-1 text-ink"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => {
            setListOpen(!isOpen);
            if (open.length > 0) onOpen([]);
          }}
        >
          details
        </button>
        <div className="details-names flex flex-wrap gap-x-5 min-w-0 flex-1" id={listId}>
          {isOpen &&
            sections.map(({ id, title }) => (
              <button
                key={id}
                type="button"
                className="details-name text-start cursor-pointer rounded-md -outline-offset-2 min-h-7 pe-1 text-muted hover:text-ink aria-expanded:text-ink"
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
      {sections
        .filter(({ id }) => open.includes(id))
        .map(({ id, title, content }) => (
          <DetailsSection key={id} id={id} title={title} resetKey={resetKey} isNew={lastOpened === id}>
            {content}
          </DetailsSection>
        ))}
    </>
  );
}

interface DetailsSectionProps {
  readonly id: string;
  readonly title: string;
  readonly resetKey: string | undefined;
  /** the user has just opened it, so it is scrolled into view */
  readonly isNew: boolean;
  readonly children: ReactNode;
}

function DetailsSection({ id, title, resetKey, isNew, children }: DetailsSectionProps) {
  const element = useRef<HTMLElement>(null);
  const isRequested = useStore(requestedDetails, (requested) => requested === id);
  useEffect(() => {
    if (isNew || isRequested) element.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
    if (!isRequested) return;
    document.querySelector<HTMLElement>(`[aria-controls="fold-${id}"]`)?.focus({ preventScroll: true });
    requestedDetails.setState(null, true);
  }, [isNew, isRequested, id]);
  return (
    <section
      ref={element}
      id={`fold-${id}`}
      className="details-section pt-4 pb-8 flex-none border-t border-hairline"
      aria-label={title}
    >
      <h2 className="mb-4">{title}</h2>
      <Boundary
        name={`The section “${title}”`}
        resetKey={resetKey}
        waiting={<div className="details-space min-h-48" aria-busy="true" />}
      >
        {children}
      </Boundary>
    </section>
  );
}
