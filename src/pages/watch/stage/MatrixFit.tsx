import { useState } from 'react';
import type { ValueNote } from '../../../core/encoded/admission.ts';
import { withGroups } from '../../../core/text/words.ts';
import { type AppDocument, asMessage, visibleStory } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { storyExample } from '../../../core/format.ts';
import type { Side } from '../use-sides.ts';
import { Button, TextButton } from '../../../kit/controls/Button.tsx';

const LOW_BUTTONS = '[&_.button]:py-1 [&_.button]:leading-[1.3] [&_.button]:whitespace-normal';

/** The document (page state) before the example that shows a format best was opened, to go back to. */
interface PreviousDocument {
  readonly doc: AppDocument;
  /** name of its matrix */
  readonly name: string;
  /** id of the example */
  readonly example: string;
}

interface MatrixFitProps {
  readonly side: Side;
  /** states only that the matrix cannot be stored; the reason and the buttons open on request */
  readonly isBrief?: boolean;
}

/** What the cells of the story lose in its format; nothing until it is loaded. */
const storyNotes = (story: Side['story']): readonly ValueNote[] => visibleStory(story)?.notes ?? [];

/**
 * How a format fits the matrix: which values become infinite or 0, or why the format cannot store the matrix, with
 * remedies. Also a button that opens the example that shows the format best, and then one that leads back.
 */
export function MatrixFit({ side, isBrief = false }: MatrixFitProps) {
  const { name: storedName, format, stored, encoding, story } = side;
  const { document, session, catalog, formats } = useApp();
  const source = useDocument((doc) => doc.source);
  const name = useSession((s) => s.summary?.name ?? '');
  const isOpening = useSession((s) => s.opening !== null);
  const [previous, setPrevious] = useState<PreviousDocument | null>(null);
  const isEdited = useDocument((doc) => doc.edited !== null);
  const { title, bestExample } = format;
  const encoded = encoding?.kind === 'ready' ? encoding.summary : null;
  const rejection = encoded && !encoded.support.ok ? encoded.support : null;
  const notes = isEdited ? storyNotes(story) : encoded?.support.ok ? encoded.support.notes : [];
  const reason = rejection?.reason ?? (story.kind === 'failed' ? story.reason : null);
  const isOpen = (example: string): boolean => source.kind === 'example' && source.id === example;
  const backButton = previous && isOpen(previous.example) && (
    <TextButton
      disabled={isOpening}
      onClick={() => {
        setPrevious(null);
        void session.restore(previous.doc);
      }}
    >
      back to {previous.name}
    </TextButton>
  );
  const showsLittle = reason !== null || encoded?.facts.some((fact) => fact.isAbsence) === true;
  const isListed = catalog.examples.some((example) => example.id === bestExample.id);
  const isShown = isOpen(bestExample.id) || isOpen(storyExample(format).id);
  const exampleButton = !backButton && showsLittle && isListed && !isShown && (
    <button
      type="button"
      className={reason === null ? 'text-button' : 'button'}
      disabled={isOpening}
      onClick={() => {
        setPrevious({ doc: document.getState(), name, example: bestExample.id });
        void session.openExample(bestExample.id);
      }}
    >
      Show {title} on {bestExample.what}
    </button>
  );
  if (reason === null) {
    return (
      <>
        {notes.map(({ says }) => (
          <p key={says} className="text-muted flex-none mb-1">
            {withGroups(`${storedName}: ${says}.`)}
          </p>
        ))}
        {(backButton || exampleButton) && (
          <p className={`${LOW_BUTTONS} flex-none mb-1`}>{backButton || exampleButton}</p>
        )}
      </>
    );
  }
  const prune = rejection?.prune;
  const choices = (rejection?.choices ?? []).filter((choice) =>
    formats.some(({ id }) => id === (choice.format ?? format.id)),
  );
  const rejected = `${title} cannot store this matrix`;
  // Buttons state the remedies; without one, words do.
  const why = `${asMessage(reason)} ${prune || choices.length > 0 ? '' : (rejection?.remedy ?? '')}`;
  const remedies = (
    <>
      {backButton || exampleButton}
      {prune && (
        <Button disabled={isOpening} onClick={() => void session.prune({ way: 'n-of-m', ...prune })}>
          Prune the matrix to {prune.kept}:{prune.group}
        </Button>
      )}
      {choices.map(({ title: choice, format: id = format.id, params }) => (
        <Button
          key={choice}
          disabled={isOpening}
          onClick={() => {
            const chosen = { format: id, params: id === format.id ? { ...stored.params, ...params } : { ...params } };
            if (side.side === 'a') session.setChoiceA(chosen);
            else session.setAgainst(chosen);
          }}
        >
          Choose {choice}
        </Button>
      ))}
    </>
  );
  return (
    <section
      className={`${LOW_BUTTONS} flex-none watch-fit--refused border border-hairline flex flex-wrap items-center gap-y-2 gap-x-3 text-15 rounded-md px-3 py-2 mb-3`}
      aria-label={rejected}
    >
      {isBrief ? (
        <details>
          <summary>
            <strong>{rejected}.</strong> <span className="text-button">Why?</span>
          </summary>
          <p className="mb-1">{why}</p>
          {remedies}
        </details>
      ) : (
        <>
          {/* Next to three buttons the text would be narrow, and so high that it covers the picture of a low window. */}
          <p className={choices.length > 1 ? 'basis-full' : 'flex-[1_1_24rem]'}>
            <strong>{rejected}.</strong> {why}
          </p>
          {remedies}
        </>
      )}
    </section>
  );
}
