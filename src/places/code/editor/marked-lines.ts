import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Marks lines, from 1, in place of those that were marked. */
export const setMarked = StateEffect.define<readonly number[]>();
const markedLine = Decoration.line({ class: 'cm-marked' });

/** Shows what `setMarked` sets. */
export const markedLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { effects, state, changes }) {
    for (const effect of effects) {
      if (!effect.is(setMarked)) continue;
      const lines = effect.value.filter((line) => line >= 1 && line <= state.doc.lines);
      return Decoration.set(
        lines.map((line) => markedLine.range(state.doc.line(line).from)),
        true,
      );
    }
    return before.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
