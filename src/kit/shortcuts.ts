import { tinykeys } from 'tinykeys';
import type { Command } from './command.ts';

// Keyboard shortcuts of commands, in the notation of the library tinykeys: '$mod+k' is Ctrl K, 'g w' is G, then W.

/** The time in which the second key of two must follow, ms. */
const SEQUENCE_MS = 1000;

/** Elements that use most keys themselves; a read-only field does not. */
const TEXT_FIELDS =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button], [readonly]), textarea, select, [contenteditable]';
/** Elements that Space or Enter presses. */
const PRESSABLE = 'button, a, summary, input, [role=tab], [role=option]';
/** Elements in which arrow keys, Home and End move something. */
const MOVED_BY_ARROWS =
  'input:not([readonly]), [role=tab], [role=grid], [role=application], [role=separator], [role=option], [role=slider]';

/** The element that an event began at. The code editor is in a shadow root: `event.target` would be its host. */
function targetOf(event: Event): EventTarget | null {
  return event.composedPath()[0] ?? event.target;
}

/** Whether typing or pasting belongs to a field, or to a dialog. */
export function belongsToField(event: Event): boolean {
  const target = targetOf(event);
  return target instanceof Element && target.closest(`${TEXT_FIELDS}, dialog, [role=dialog]`) !== null;
}

/** Whether a key is for the focused element and not for the page. Combinations with Ctrl and Cmd are for the page. */
function belongsToElement(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  // Repeated arrow keys run through the steps; a repeated Space would switch between play and pause.
  if (event.repeat && !event.key.startsWith('Arrow')) return true;
  const target = targetOf(event);
  if (!(target instanceof Element)) return false;
  if (event.ctrlKey || event.metaKey) return false;
  // A dialog whose focused button is gone leaves the focus to the page behind it.
  if (belongsToField(event) || document.querySelector('dialog[open]') !== null) return true;
  if ((event.key === ' ' || event.key === 'Enter') && target.closest(PRESSABLE)) return true;
  return /^(Arrow|Home|End|Page)/.test(event.key) && target.closest(MOVED_BY_ARROWS) !== null;
}

/** Binds the keys of commands until the returned function is called; a key runs the first command that is `active`. */
export function bindShortcuts<C extends Pick<Command, 'keys' | 'run'>>(
  target: Window,
  commands: readonly C[],
  active: (command: C) => boolean,
): () => void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  // The last two keys: after G and 1, the command of 'g 1' runs, and not the command of '1'.
  let lastPress = { key: '', at: Number.NEGATIVE_INFINITY };
  let pressBefore = lastPress;
  const remember = (event: KeyboardEvent): void => {
    pressBefore = lastPress;
    lastPress = { key: event.key.toLowerCase(), at: event.timeStamp };
  };
  /** whether a key is the second of two that an active command has */
  const endsSequence = (key: string, event: KeyboardEvent): boolean => {
    const sequence = `${pressBefore.key} ${key}`;
    const isSoon = event.timeStamp - pressBefore.at < SEQUENCE_MS;
    return isSoon && commands.some((command) => command.keys?.includes(sequence) && active(command));
  };
  for (const key of new Set(commands.flatMap(({ keys }) => keys ?? []))) {
    // Commands of several pages may share a key: `active` is true only for the command of the open page.
    const candidates = commands.filter(({ keys }) => keys?.includes(key));
    bindings[key] = (event) => {
      const command = candidates.find(active);
      if (!command || belongsToElement(event) || endsSequence(key, event)) return;
      event.preventDefault();
      command.run();
    };
  }
  target.addEventListener('keydown', remember);
  const unbind = tinykeys(target, bindings, { timeout: SEQUENCE_MS });
  return () => {
    target.removeEventListener('keydown', remember);
    unbind();
  };
}

/** A key in the notation of tinykeys as printed on the keyboard: $mod+k -> Ctrl + K or ⌘ K. */
export function keyText(key: string, apple: boolean): string {
  const names: Record<string, string> = {
    $mod: apple ? '⌘' : 'Ctrl',
    ArrowRight: '→',
    ArrowLeft: '←',
    ArrowUp: '↑',
    ArrowDown: '↓',
    Enter: '↵',
  };
  if (key.includes(' ')) {
    return key
      .split(' ')
      .map((one) => keyText(one, apple))
      .join(' ');
  }
  if (key.length === 1) return key.toUpperCase();
  const parts = key.split('+').map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  return parts.join(apple ? '\u202f' : ' + ');
}

/** Whether this is an Apple device, whose shortcuts are written with the command key. */
export function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
