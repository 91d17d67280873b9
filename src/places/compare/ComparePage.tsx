import './compare.css';
import { Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { placeOf, QUESTION_PLACES, type QuestionProps } from './questions.ts';
import { ChoiceContext } from '../../kit/browser/choices.ts';
import { type Choices, placeState } from '../../state/index.ts';
import { COMPARING, withQuestion } from './address.ts';

const NONE: Choices = {};

/** Questions about all formats, each with its own address: a row of tabs, and the page of the current one. */
export function ComparePage({ wide }: QuestionProps) {
  const asked = useDocument((doc) => placeState(doc, COMPARING).question);
  const { document } = useApp();
  const choices = useDocument((doc) => placeState(doc, COMPARING).choices[asked] ?? NONE);
  const choose = useCallback(
    (changed: Choices) => document.setState(withQuestion(document.getState(), asked, changed)),
    [document, asked],
  );
  const chosen = useMemo(() => ({ texts: choices, choose }), [choices, choose]);
  const { question, title, Page } = placeOf(asked);
  const tab = useRef<HTMLButtonElement>(null);
  // On a phone the tabs scroll: keep the current one in view.
  useEffect(() => {
    // Returns nothing: newer browsers return a promise, which React would call as a cleanup.
    tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [question]);
  return (
    <div className="explore-place">
      {question !== '' && (
        <section className="explore-bar" aria-label="Questions">
          <nav className="explore-tabs" aria-label="Questions">
            {QUESTION_PLACES.map((place) => (
              <button
                key={place.question}
                ref={place.question === question ? tab : undefined}
                type="button"
                className="explore-tab"
                aria-current={place.question === question ? 'page' : undefined}
                onClick={() => document.setState(withQuestion(document.getState(), place.question))}
              >
                {place.title}
              </button>
            ))}
          </nav>
        </section>
      )}
      <Boundary key={question} name={`The question “${title}”`} isMain>
        <Suspense fallback={<main className="waiting" aria-busy="true" />}>
          <ChoiceContext value={chosen}>
            <Page wide={wide} />
          </ChoiceContext>
        </Suspense>
      </Boundary>
    </div>
  );
}
