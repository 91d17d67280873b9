import type { ComponentType } from 'react';
import type { AppDocument, PageEntry } from '../state/index.ts';
import type { App } from './app-context.ts';
import type { Command, CommandContext, PaletteEntries } from './command.ts';
import type { PageFigures, PageShow } from './page-parts.ts';

// The contract of an application page, such as Watch or Compare.

/** A titled part of the list of shortcuts: what keys do. */
export interface KeyTable {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly keys: readonly string[] }[];
}

/** What the palette finds on a page besides its title and commands, and further keys. */
export interface PagePaletteEntries extends PaletteEntries {
  /** further words by which a search finds the page */
  readonly searchWords: string;
  /** the question that the page answers, in a few words */
  readonly description: string;
  /** keys that work in some part of the page */
  readonly keys?: KeyTable;
}

/** Properties of the component `Page`. */
export interface PageProps {
  /** whether the page is wide enough for side columns */
  readonly isWide: boolean;
}

/** A page of the application, from its folder in src/pages. `Page` is loaded when it is shown: see `lazyPart`. */
export interface AppPage extends PageEntry {
  readonly Page: ComponentType<PageProps>;
  readonly commands?: (context: CommandContext) => readonly Command[];
  /** what the palette finds on the page; loaded with the palette */
  readonly paletteEntries?: () => Promise<PagePaletteEntries>;
  /**
   * Whether the page currently shows something other than the selection, so that the selection bar (matrix, formats and
   * device) is hidden. Default: no.
   */
  readonly hidesSelectionBar?: (doc: AppDocument) => boolean;
  /** Whether the header has fewer controls: a button per item of the selection bar, no export. Default: no. */
  readonly isPlain?: (doc: AppDocument) => boolean;
  /** items that the selection bar omits, since they have no effect on this page: the device, or the tokens */
  readonly hiddenItems?: readonly ('on' | 'tokens')[];
  readonly figures?: PageFigures;
  /** a separate picture, shown full screen and in frames of other pages, instead of a format's story (the stage) */
  readonly shows?: PageShow;
  /** What the button Run and its key do on every page without a `useUserRun`. Exactly one page defines this. */
  readonly run?: (app: App) => Promise<void>;
}

/** A page that covers and hides the application until it is closed, such as a presentation. */
export interface Overlay {
  readonly id: string;
  /** its name at the start of a text */
  readonly title: string;
  readonly Page: ComponentType<OverlayProps>;
  /** dialogs of the application that come with the overlay: 'export' is what `openExport` of `ShellActions` opens */
  readonly dialogs: Readonly<Record<'export', { readonly title: string; readonly Page: OverlayDialog }>>;
  readonly keys?: () => Promise<KeyTable>;
}

interface OverlayProps {
  readonly onClose: () => void;
  /** the element that had the focus, and gets it back */
  readonly focusBefore: Element | null;
}

type OverlayDialog = ComponentType<Pick<OverlayProps, 'onClose'>>;

/** A page that replaces the whole application at a separate address, such as an embedded frame. */
export interface Standalone {
  readonly id: string;
  readonly isAt: (hash: string) => boolean;
  readonly start: (root: HTMLElement, createStores: CreateStores) => Promise<void>;
}

/** Creates the state of an embedded page: what its link shows, and the problems of the link. None of it is saved. */
export type CreateStores = (
  window: Window,
  embedded: { readonly link: string; readonly problems: readonly string[] },
) => Promise<Omit<App, 'announce'>>;
