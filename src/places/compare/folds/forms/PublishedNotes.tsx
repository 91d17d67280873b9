import { publishedNotes } from '../../curves/references.ts';
import type { PublishedLine } from '../../curves/use-published.ts';

/** The meaning and sources of a chart's squares. */
export function PublishedNotes({ published }: { readonly published: readonly PublishedLine[] }) {
  return publishedNotes(published.map(({ figures }) => figures)).map((note) => (
    <p key={note} className="field-hint">
      {note}
    </p>
  ));
}
