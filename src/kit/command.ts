import type { App } from './app-context.ts';
import type { ShellActions } from './frame/shell-context.ts';

/** Something a person can do: what the palette lists, and a key does. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Go' | 'Subject' | 'Matrix' | 'Animation' | 'Format' | 'Measure' | 'Language' | 'Page';
  /** in the notation of tinykeys; several keys may do the same */
  readonly keys?: readonly string[];
  /** Its keys belong to the place with this id, and work while that is shown. */
  readonly place?: string;
  /** Its keys work while the page is shown, and not in a presentation. */
  readonly onPage?: true;
  /** Like `onPage`, where the sentence is shown. */
  readonly onSubject?: true;
  readonly run: () => void;
}

/** What commands need besides the stores: dialogs and files belong to the shell. */
export interface CommandContext extends ShellActions {
  readonly app: App;
}
