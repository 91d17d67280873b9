import type { App } from './app-context.ts';
import type { ShellActions } from './frame/shell-context.ts';

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
  | 'Selection'
  | 'Matrix'
  | 'Animation'
  | 'Measure'
  | 'Page';

/** An action or a target that the palette finds and keys run. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  /** further words by which a user may search for it */
  readonly searchWords?: string;
  /** a description, shown below the title if the search matches it */
  readonly description?: string;
  /** where it leads, written after its title: 'Learn › Small skips' */
  readonly leadsTo?: string;
  /** in the notation of tinykeys; several keys may run it */
  readonly keys?: readonly string[];
  /** Its keys work only on the page (such as Learn) with this id. */
  readonly page?: string;
  /** Its keys work on every page, but not in a presentation. */
  readonly isPageKey?: true;
  /** Like `isPageKey`, but only while the selection bar, which names matrix, formats and device, is visible. */
  readonly isSelectionKey?: true;
  /** Whether its key works now; if not, the browser handles the key. Default: always. */
  readonly isOn?: () => boolean;
  readonly run: () => void;
}

/** The keys of a command that the palette does not list, since they work only in a lesson or a presentation. */
export type KeyCommand = Pick<Command, 'keys' | 'run'>;

/** The context of commands: the stores, and the actions of the shell. */
export interface CommandContext extends ShellActions {
  readonly app: App;
}

/** What the command palette finds on a page besides its commands with keys. Loaded with the palette. */
export interface PaletteEntries {
  /** further search words of commands with keys, by their ids */
  readonly searchWordsOf?: Readonly<Record<string, string>>;
  /** commands without a key, and the sections, texts and words that the palette leads to */
  readonly more: (context: CommandContext) => readonly Command[];
}
