import type { AppDocument } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import type { Side } from '../sides.ts';

/** What was there before somebody went to the matrix that shows a format best. */
export interface WayBack {
  readonly doc: AppDocument;
  readonly name: string;
  /** the example that is shown instead */
  readonly to: string;
}

interface ShownBestProps {
  readonly of: Side;
  readonly left: WayBack | null;
  readonly onLeave: (left: WayBack | null) => void;
}

/**
 * If the matrix shows little of a format, a button for the gallery's matrix that shows it best; and from there, one back
 * to the previous state.
 */
export function ShownBest({ of: { format, encoding, story }, left, onLeave }: ShownBestProps) {
  const { document, session, catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const name = useSession((s) => s.summary?.name ?? '');
  const isOpening = useSession((s) => s.opening !== null);
  const { shownBestOn } = format;
  const encoded = encoding?.kind === 'ready' ? encoding.summary : null;
  const isRefused = story.kind === 'failed' || (encoded !== null && !encoded.admission.ok);
  const showsLittle = isRefused || encoded?.facts.some((fact) => fact.isAbsence) === true;
  const isThere = (example: string): boolean => source.kind === 'example' && source.id === example;
  if (left && isThere(left.to)) {
    return (
      <button
        type="button"
        className="text-button shown-best"
        disabled={isOpening}
        onClick={() => {
          onLeave(null);
          void session.restore(left.doc);
        }}
      >
        back to {left.name}
      </button>
    );
  }
  const isListed = catalog.examples.some((example) => example.id === shownBestOn.id);
  if (!showsLittle || !isListed || isThere(shownBestOn.id)) return null;
  return (
    <button
      type="button"
      className={isRefused ? 'button' : 'text-button shown-best'}
      disabled={isOpening}
      onClick={() => {
        onLeave({ doc: document.getState(), name, to: shownBestOn.id });
        void session.openExample(shownBestOn.id);
      }}
    >
      Show {isRefused ? 'it' : format.title} on {shownBestOn.what}
    </button>
  );
}
