/* The keys in a list that a word of the selection bar has opened. */

import type { KeyboardEvent } from 'react';

/** Fields that use most keys themselves. */
const KEYBOARD_FIELDS = 'select, input:not([data-find])';

/** The choices in a list: its buttons with `data-choice`. The field that filters them has `data-find`. */
export function choicesIn(element: Element): readonly HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[data-choice]')];
}

/** Up and Down move between choices; typed text goes to the search field. `key`: the key to act on. */
export function onChoiceKey(event: KeyboardEvent<HTMLElement>, key = event.key): void {
  const { target, currentTarget } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLElement) || target.matches(KEYBOARD_FIELDS)) return;
  const choices = choicesIn(currentTarget);
  const index = choices.indexOf(target);
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();
    const to = key === 'ArrowDown' ? index + 1 : index < 0 ? choices.length - 1 : index - 1;
    choices[(to + choices.length) % choices.length]?.focus();
  } else if (key === 'Backspace' || (key.length === 1 && key !== ' ')) {
    // The key itself is then typed into the field.
    currentTarget.querySelector<HTMLElement>('[data-find]')?.focus();
  }
}
