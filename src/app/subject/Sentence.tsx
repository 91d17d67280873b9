import { Suspense, useState } from 'react';
import type { WordId } from './word.ts';
import { WORDS } from './words.ts';

/** The subject as one sentence under the header; every word opens what it can be changed to. */
export function Sentence() {
  const [open, setOpen] = useState<{ readonly word: WordId; readonly part: string | null } | null>(null);
  return (
    <div className="sentence" role="group" aria-label="Subject">
      {WORDS.map(({ id, before, name, Label, Popover, Buttons }) => {
        const isOpen = open?.word === id;
        const onOpen = (part: string | null = null): void => setOpen({ word: id, part });
        return (
          <span key={id} className="word-place">
            {id !== 'of' && <span className="word-before">{before} </span>}
            {Buttons ? (
              <Buttons isOpen={isOpen} onOpen={onOpen} />
            ) : (
              <button
                type="button"
                className="word"
                data-word={id}
                aria-haspopup="dialog"
                aria-expanded={isOpen}
                onClick={() => onOpen()}
              >
                <span className="unseen">{name}: </span>
                <Label />
              </button>
            )}
            {isOpen && (
              <Suspense fallback={null}>
                <Popover part={open.part} inList={false} onClose={() => setOpen(null)} />
              </Suspense>
            )}
          </span>
        );
      })}
    </div>
  );
}
