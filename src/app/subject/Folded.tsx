import { Suspense, useState } from 'react';
import { useDocument } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { useAskedWord } from './asked-word.ts';
import { ALabel, BLabel } from './FormatLabel.tsx';
import { useScrolled } from './use-scrolled.ts';
import type { Word, WordId } from './word.ts';
import { WORDS } from './words.ts';

const SentenceList = lazyPart(async () => (await import('./SentenceList.tsx')).SentenceList);

interface Opened {
  /** whose row is unfolded at first; null for none */
  readonly word: WordId | null;
  readonly part: string | null;
}

/** The sentence of a narrow page: one button, which opens a list of its words. Once the page scrolls one line stays. */
export function Folded() {
  const [open, setOpen] = useState<Opened | null>(null);
  useAskedWord(setOpen);
  const scrolled = useScrolled();
  const isAlone = useDocument((doc) => doc.against === null);
  return (
    <section className="sentence sentence--folded" aria-label="Subject">
      <button
        type="button"
        className={scrolled ? 'sentence-fold sentence-fold--line word' : 'sentence-fold word'}
        aria-haspopup="dialog"
        onClick={() => setOpen({ word: null, part: null })}
      >
        <span className="unseen">Change the subject: </span>
        <span className="sentence-plain">
          {scrolled ? (
            <>
              <ALabel />{' '}
              {isAlone ? (
                'alone'
              ) : (
                <>
                  against <BLabel />
                </>
              )}
            </>
          ) : (
            WORDS.map((word) => <Plain key={word.id} word={word} isAlone={isAlone} />)
          )}
        </span>
        <Icon name="right" />
      </button>
      {open && (
        <Boundary name="The subject" onClose={() => setOpen(null)}>
          <Suspense fallback={null}>
            <SentenceList first={open} onClose={() => setOpen(null)} />
          </Suspense>
        </Boundary>
      )}
    </section>
  );
}

/** A word as text: '50 % left by magnitude,' */
function Plain({ word: { id, before, Label }, isAlone }: { readonly word: Word; readonly isAlone: boolean }) {
  if (id === 'b' && isAlone) return null;
  const isLast = id === WORDS.at(-1)?.id;
  return (
    <span className="plain-word" data-place={id}>
      {id !== 'of' && id !== 'pruned' && `${before} `}
      <Label />
      {isLast || (id === 'a' && !isAlone) ? ' ' : ', '}
    </span>
  );
}
