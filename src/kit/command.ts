import type { App } from './app-context.ts';
import type { ShellActions } from './frame/shell-context.ts';

/** What a command is, or leads to. */
type CommandGroup =
  | 'Place'
  | 'Section'
  | 'Lesson'
  | 'Term'
  | 'Text'
  | 'Kernel'
  | 'Exercise'
  | 'Model'
  | 'Device'
  | 'Format'
  | 'Example'
  | 'Subject'
  | 'Matrix'
  | 'Animation'
  | 'Measure'
  | 'Page';

/** Something a person can do or go to: what the palette finds, and a key does. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  /** other words that people may type for it */
  readonly also?: string;
  /** what is said of it, below its title where words of it are found */
  readonly about?: string;
  /** where it leads, from the place down: 'Learn › Small skips' */
  readonly leads?: string;
  /** in the notation of tinykeys; several keys may do the same */
  readonly keys?: readonly string[];
  /** Its keys belong to the place with this id, and work while that is shown. */
  readonly place?: string;
  /** Its keys work while the page is shown, and not in a presentation. */
  readonly onPage?: true;
  /** Like `onPage`, where the sentence is shown. */
  readonly onSubject?: true;
  /** Whether its key does something now: otherwise it is left to the browser. Default: always. */
  readonly isOn?: () => boolean;
  readonly run: () => void;
}

/** What commands need besides the stores: dialogs and files belong to the shell. */
export interface CommandContext extends ShellActions {
  readonly app: App;
}

/** What the palette finds besides commands with keys: loaded with the palette. */
export interface Finds {
  /** other words for commands with keys, by their ids */
  readonly also?: Readonly<Record<string, string>>;
  /** what can be done without a key, and sections, texts and words that it leads to */
  readonly more: (context: CommandContext) => readonly Command[];
}
