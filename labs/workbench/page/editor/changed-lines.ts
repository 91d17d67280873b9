import { Chunk, type DiffConfig } from '@codemirror/merge';
import { type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { gutter, GutterMarker } from '@codemirror/view';

/**
 * Bound on the work of a comparison, after which whole parts count as changed. Without it, a text with little in common
 * with the original, such as a long line, would block the page for minutes.
 */
export const DIFF_BOUNDS: DiffConfig = { scanLimit: 500, timeout: 25 };

/** The number of lines of a chunk of a comparison, which ends at the start of the next line. */
function linesBetween(text: Text, from: number, to: number): number {
  if (to <= from) return 0;
  return text.lineAt(Math.min(to - 1, text.length)).number - text.lineAt(from).number + 1;
}

class Changed extends GutterMarker {
  override readonly elementClass = 'cm-changed';
}
const CHANGED = new Changed();

/** A bar at every line that differs from the original, and at the line after a deletion. */
export function changedLines(original: Text): Extension {
  const chunks = StateField.define<readonly Chunk[]>({
    create: ({ doc }) => Chunk.build(original, doc, DIFF_BOUNDS),
    update: (before, transaction) =>
      transaction.docChanged
        ? Chunk.updateB(before, original, transaction.newDoc, transaction.changes, DIFF_BOUNDS)
        : before,
  });
  return [
    chunks,
    gutter({
      class: 'cm-changes',
      markers(view) {
        const builder = new RangeSetBuilder<GutterMarker>();
        const { doc } = view.state;
        let last = -1;
        for (const { fromB, toB } of view.state.field(chunks)) {
          const first = doc.lineAt(Math.min(fromB, doc.length)).number;
          const end = first + Math.max(1, linesBetween(doc, fromB, toB));
          for (let line = first; line < end && line <= doc.lines; line++) {
            const { from } = doc.line(line);
            if (from > last) builder.add(from, from, CHANGED);
            last = Math.max(last, from);
          }
        }
        return builder.finish();
      },
    }),
  ];
}
