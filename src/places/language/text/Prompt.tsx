import { useState } from 'react';
import { isApple } from '../../../kit/shortcuts.ts';
import { LONGEST_PROMPT } from './fields.ts';

interface PromptProps {
  readonly prompt: string;
  readonly isWriting: boolean;
  readonly onWrite: (prompt: string) => void;
}

/** What both texts begin with. */
export function Prompt({ prompt, isWriting, onWrite }: PromptProps) {
  const [draft, setDraft] = useState({ text: prompt, of: prompt });
  const text = draft.of === prompt ? draft.text : prompt;
  return (
    <form
      className="text-prompt"
      onSubmit={(event) => {
        event.preventDefault();
        onWrite(text);
      }}
    >
      <label className="prompt-field">
        <span>begins with</span>
        <input
          type="text"
          value={text}
          maxLength={LONGEST_PROMPT}
          placeholder="nothing: the model begins"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setDraft({ text: event.currentTarget.value, of: prompt })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            // The page's own run would write what was there before.
            event.preventDefault();
            event.stopPropagation();
            onWrite(text);
          }}
        />
      </label>
      <button type="submit" className="button button--solid" aria-busy={isWriting}>
        Write <kbd>{isApple() ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
      </button>
    </form>
  );
}
