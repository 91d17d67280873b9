import { useEffect, useRef } from 'react';
import type { Found } from './search.ts';

interface SearchResultsProps {
  readonly found: readonly Found[];
  readonly active: number;
  readonly onHover: (found: Found | null) => void;
  readonly onTake: (found: Found) => void;
}

/** What the words in the search field may mean; the field keeps the focus, and its keys choose. */
export function SearchResults({ found, active, onHover, onTake }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="chooser-results">
      <p className="unseen" role="status">
        {found.length === 1 ? 'One found.' : `${found.length} found.`}
      </p>
      {found.length === 0 && (
        <p className="faint">
          Nothing here is called so. A model’s name, a layer, a matrix, an example or an address can be found: llama 8b
          layer 12 down.
        </p>
      )}
      <div
        ref={list}
        id="chooser-found"
        role="listbox"
        aria-label="Found"
        hidden={found.length === 0}
        onPointerLeave={() => onHover(null)}
      >
        {found.map((one, i) => (
          <button
            // One thing is found once, at its place in the list.
            key={`${one.kind} ${one.title}`}
            id={`chooser-found-${i}`}
            type="button"
            role="option"
            aria-selected={i === active}
            tabIndex={-1}
            className="chooser-result"
            onPointerEnter={() => onHover(one)}
            onClick={() => onTake(one)}
          >
            <span className="chooser-name">{one.title}</span>
            <span className="faint">{one.about}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
