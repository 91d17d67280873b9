import { type ReactNode, type RefObject, useEffect } from 'react';
import { choicesIn } from './choice-keys.ts';

interface FindHeadProps {
  readonly title: string;
  /** what the field finds: 'Find a format' */
  readonly label: string;
  /** placeholder of the field */
  readonly hint: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly children?: ReactNode;
}

/** The head of a list, opened from an item of the selection bar: its title, and a field that filters it. */
export function FindHead({ title, label, hint, query, onQuery, children }: FindHeadProps) {
  return (
    <div className="flex items-center gap-3 whitespace-nowrap sticky bg-ground border-b border-hairline z-1 top-0 py-3 mx-6 in-data-list:static in-data-list:bg-transparent in-data-list:mx-4">
      <b>{title}</b>
      <input
        data-find=""
        className="min-w-0 h-7 flex-1 border-0 p-0 bg-transparent outline-offset-4 placeholder:text-muted placeholder:opacity-100"
        type="text"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        placeholder={hint}
        value={query}
        onChange={(event) => onQuery(event.currentTarget.value)}
      />
      {children}
    </div>
  );
}

/** Focuses a list's search field if it has text, else its current choice; not if `isNarrow`: the page would scroll. */
export function useFocusOnChosen(element: RefObject<HTMLElement | null>, isNarrow: boolean): void {
  useEffect(() => {
    if (isNarrow || !element.current) return;
    const field = element.current.querySelector<HTMLInputElement>('[data-find]');
    if (field && field.value !== '') return field.focus();
    const choices = choicesIn(element.current);
    (choices.find((choice) => choice.ariaPressed === 'true') ?? choices[0])?.focus({ preventScroll: true });
  }, [element, isNarrow]);
}
