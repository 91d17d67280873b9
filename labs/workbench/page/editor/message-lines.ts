// Compiler messages in the editor: below their lines with a button for a fix, underlined, and in the gutter.

import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { type EditorState, type Extension, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { CompileMessage } from '../service/drafts/draft-types.ts';
import { firstLineOf, type Fix, fixOf, rangeOfMessage } from './fixes.ts';

/** A compiler's message at offsets in the text, with an edit that fixes it, if one is known. */
interface LocatedMessage {
  readonly severity: CompileMessage['severity'];
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly fix: Fix | null;
}

const setMessages = StateEffect.define<readonly LocatedMessage[]>();

/** The beginning of a message, on a separate line below the code, with a button that applies the fix. */
class MessageLine extends WidgetType {
  readonly located: LocatedMessage;

  constructor(located: LocatedMessage) {
    super();
    this.located = located;
  }

  override eq(other: MessageLine): boolean {
    return other.located.text === this.located.text && other.located.fix?.title === this.located.fix?.title;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { severity, text, fix } = this.located;
    const line = document.createElement('div');
    line.className = `cm-message cm-message--${severity}`;
    // Stays in view while a long line scrolls.
    const inner = document.createElement('div');
    line.append(inner);
    inner.append(firstLineOf(text));
    inner.title = text;
    if (fix !== null) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = fix.title;
      button.addEventListener('click', () => applyFix(view, this.located, fix));
      inner.append(' ', button);
    }
    return line;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function applyFix(view: EditorView, located: LocatedMessage, fix: Fix): void {
  // Edits since the message was drawn have moved it.
  const moved = view.state
    .field(messagesField)
    .located.find(({ text, fix: current }) => text === located.text && current === fix);
  const { from, to } = moved ?? located;
  fixAt(view, located.text, from, to);
}

interface MessagesState {
  readonly located: readonly LocatedMessage[];
  readonly decorations: DecorationSet;
}

const messagesField = StateField.define<MessagesState>({
  create: () => ({ located: [], decorations: Decoration.none }),
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMessages)) return decorated(effect.value, transaction.state);
    }
    if (!transaction.docChanged) return before;
    const located = before.located.map((message) => ({
      ...message,
      from: transaction.changes.mapPos(message.from, 1),
      to: transaction.changes.mapPos(message.to, -1),
    }));
    return { located, decorations: before.decorations.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function decorated(located: readonly LocatedMessage[], state: EditorState): MessagesState {
  const widgets = located.map((message) =>
    Decoration.widget({ widget: new MessageLine(message), block: true, side: 1 }).range(
      state.doc.lineAt(message.from).to,
    ),
  );
  return { located, decorations: Decoration.set(widgets, true) };
}

/** The editor extension that shows a compiler's messages below their lines; `withMessages` sets them. */
export const messageLines: Extension = messagesField;

/** A transaction that sets the messages of a file: underlined, in the gutter, and as text below their line. */
export function withMessages(state: EditorState, compiled: readonly CompileMessage[]): TransactionSpec {
  const source = state.doc.toString();
  const lines = source.split('\n');
  const located = compiled.map((message): LocatedMessage => {
    const { line, from, to } = rangeOfMessage(lines, message);
    const start = state.doc.line(line).from;
    return {
      severity: message.severity,
      text: message.text,
      from: start + from,
      to: start + to,
      fix: fixOf(message.text, source, start + from, start + to),
    };
  });
  const diagnostics = located.map(({ severity, text, from, to, fix }): Diagnostic => ({
    severity,
    message: text,
    from,
    to,
    actions: fix === null ? [] : [{ name: fix.title, apply: (view, at, end) => fixAt(view, text, at, end) }],
  }));
  const { effects = [] } = setDiagnostics(state, diagnostics);
  return { effects: [setMessages.of(located), ...[effects].flat()] };
}

/** Applies the fix of a message to the current text, which may have changed since it was compiled. */
function fixAt(view: EditorView, message: string, from: number, to: number): void {
  const fix = fixOf(message, view.state.doc.toString(), from, to);
  if (fix !== null) view.dispatch({ changes: fix.edit });
  view.focus();
}
