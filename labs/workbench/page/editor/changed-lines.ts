// Marks lines of a draft that differ from the original kernel, in the gutter of the editor (CodeMirror).

import { Chunk, type DiffConfig } from '@codemirror/merge';
import { type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { gutter, GutterMarker } from '@codemirror/view';

/**
 * Bounds on the work of a comparison: depth of the search, and time in ms. Beyond them whole parts count as changed.
 * Without them, a text with little in common with the original, such as a long line, would block the page for minutes.
 */
export const DIFF_BOUNDS: DiffConfig = { scanLimit: 500, timeout: 25 };

/** Returns the number of lines of a chunk with these offsets; `to` is the start of the line after the chunk. */
function linesBetween(text: Text, from: number, to: number): number {
  if (to <= from) return 0;
  return text.lineAt(Math.min(to - 1, text.length)).number - text.lineAt(from).number + 1;
}

class ChangedLineMarker extends GutterMarker {
  override readonly elementClass = 'cm-changed';
}
const CHANGED = new ChangedLineMarker();

/**
 * Returns an extension that draws a bar at every line that differs from the original, and at the line after a deletion.
 */
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
        // The start of the last marked line: a line that two chunks share is marked once.
        let lastMarked = -1;
        for (const { fromB, toB } of view.state.field(chunks)) {
          const first = doc.lineAt(Math.min(fromB, doc.length)).number;
          const end = first + Math.max(1, linesBetween(doc, fromB, toB));
          for (let line = first; line < end && line <= doc.lines; line++) {
            const { from } = doc.line(line);
            if (from > lastMarked) builder.add(from, from, CHANGED);
            lastMarked = Math.max(lastMarked, from);
          }
        }
        return builder.finish();
      },
    }),
  ];
}
