import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { type EditorState, type Extension, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { CompileMessage } from '../service/drafts/draft-types.ts';
import { firstParagraph, type Fix, fixOf, placeOfMessage } from './fixes.ts';

interface Placed {
  readonly severity: CompileMessage['severity'];
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly lineEnd: number;
  readonly fix: Fix | null;
}

const setPlaced = StateEffect.define<readonly Placed[]>();

/** The sentence of a message, on its own line below its code, with a fix. */
class MessageLine extends WidgetType {
  readonly placed: Placed;

  constructor(placed: Placed) {
    super();
    this.placed = placed;
  }

  override eq(other: MessageLine): boolean {
    return other.placed.text === this.placed.text && other.placed.fix?.title === this.placed.fix?.title;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { severity, text, fix } = this.placed;
    const line = document.createElement('div');
    line.className = `cm-message cm-message--${severity}`;
    // Stays in view while a long line scrolls.
    const inner = document.createElement('div');
    line.append(inner);
    inner.append(firstParagraph(text));
    inner.title = text;
    if (fix !== null) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = fix.title;
      button.addEventListener('click', () => applyFix(view, this.placed, fix));
      inner.append(' ', button);
    }
    return line;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function applyFix(view: EditorView, placed: Placed, fix: Fix): void {
  // The text may have been edited since, and the range has moved with it.
  const place = view.state
    .field(placedField)
    .places.find(({ text, fix: other }) => text === placed.text && other === fix);
  const { from, to } = place ?? placed;
  fixAt(view, placed.text, from, to);
}

interface PlacedState {
  readonly places: readonly Placed[];
  readonly decorations: DecorationSet;
}

const placedField = StateField.define<PlacedState>({
  create: () => ({ places: [], decorations: Decoration.none }),
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setPlaced)) return decorated(effect.value, transaction.state);
    }
    if (!transaction.docChanged) return before;
    const places = before.places.map((one) => ({
      ...one,
      from: transaction.changes.mapPos(one.from, 1),
      to: transaction.changes.mapPos(one.to, -1),
      lineEnd: transaction.changes.mapPos(one.lineEnd, 1),
    }));
    return { places, decorations: before.decorations.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function decorated(places: readonly Placed[], state: EditorState): PlacedState {
  const widgets = places.map((placed) =>
    Decoration.widget({ widget: new MessageLine(placed), block: true, side: 1 }).range(
      state.doc.lineAt(placed.from).to,
    ),
  );
  return { places, decorations: Decoration.set(widgets, true) };
}

/** Shows what `withMessages` sets. */
export const messages: Extension = placedField;

/** Sets the messages of one file: underlined, in the gutter, and in a sentence below their line. */
export function withMessages(state: EditorState, said: readonly CompileMessage[]): TransactionSpec {
  const source = state.doc.toString();
  const lines = source.split('\n');
  const places = said.map((message): Placed => {
    const { line, from, to } = placeOfMessage(lines, message);
    const start = state.doc.line(line).from;
    return {
      severity: message.severity,
      text: message.text,
      from: start + from,
      to: start + to,
      lineEnd: state.doc.line(line).to,
      fix: fixOf(message.text, source, start + from, start + to),
    };
  });
  const diagnostics = places.map(({ severity, text, from, to, fix }): Diagnostic => ({
    severity,
    message: text,
    from,
    to,
    actions: fix === null ? [] : [{ name: fix.title, apply: (view, at, end) => fixAt(view, text, at, end) }],
  }));
  const { effects = [] } = setDiagnostics(state, diagnostics);
  return { effects: [setPlaced.of(places), ...[effects].flat()] };
}

/** The text may have changed since it was compiled, so the fix is looked up again. */
function fixAt(view: EditorView, message: string, from: number, to: number): void {
  const fix = fixOf(message, view.state.doc.toString(), from, to);
  if (fix !== null) view.dispatch({ changes: fix.edit });
  view.focus();
}
