import type { App } from './app-context.ts';
import type { ShellActions } from './frame/shell-context.ts';

/** The group of a command in the palette. */
type CommandGroup =
  | 'Place'
  | 'Story'
  | 'Paper'
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
  /** other words that a person may type for it */
  readonly also?: string;
  /** a description, shown below the title if the search matches it */
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
  /** Whether its key does something now; if not, the browser handles it. Default: always. */
  readonly isOn?: () => boolean;
  readonly run: () => void;
}

/** What commands need besides the stores: the actions of the shell. */
export interface CommandContext extends ShellActions {
  readonly app: App;
}

/** What the palette finds besides commands with keys. It is loaded with the palette. */
export interface Finds {
  /** other words for commands with keys, by their ids */
  readonly also?: Readonly<Record<string, string>>;
  /** commands without a key, and the sections, texts and words that the palette leads to */
  readonly more: (context: CommandContext) => readonly Command[];
}
