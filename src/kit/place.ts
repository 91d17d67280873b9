import type { ComponentType } from 'react';
import type { AppDocument, PlaceEntry } from '../state/index.ts';
import type { App } from './app-context.ts';
import type { Command, CommandContext, Finds } from './command.ts';
import type { PlaceFigures } from './place-figures.ts';
import type { PlaceShow } from './place-show.ts';

/** Keys as the list of shortcuts shows them. */
export interface KeyTable {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly keys: readonly string[] }[];
}

/** What the palette finds in a place besides its title and commands, and the keys that are not those of commands. */
export interface PlaceFinds extends Finds {
  /** other words for the place */
  readonly place: string;
  /** what it answers, in a few words */
  readonly about: string;
  /** keys that work in some part of the place */
  readonly keys?: KeyTable;
}

export interface PlaceProps {
  /** wide enough for side columns */
  readonly wide: boolean;
}

/**
 * A place of the page, which is one folder of src/places and one line of src/app/places.ts. `Page`, and whatever else is
 * not needed for the first screen, is loaded when it is shown: see `lazyPart`.
 */
export interface Place extends PlaceEntry {
  readonly Page: ComponentType<PlaceProps>;
  /** those with a key */
  readonly commands?: (context: CommandContext) => readonly Command[];
  readonly finds?: () => Promise<PlaceFinds>;
  /** Whether the place currently has its own subject, so that the sentence is hidden. Default: no. */
  readonly hasOwnSubject?: (doc: AppDocument) => boolean;
  /** Whether little is shown around the page: one button a word in the sentence, none for a stage. Default: no. */
  readonly isPlain?: (doc: AppDocument) => boolean;
  /** Words of the sentence that have no effect here, and are hidden. Default: none. */
  readonly leavesOut?: readonly ('on' | 'tokens')[];
  readonly figures?: PlaceFigures;
  readonly shows?: PlaceShow;
  /** What Run and its key do in every place that has no run of its own (`useOwnRun`). Exactly one place defines it. */
  readonly run?: (app: App) => Promise<void>;
}

/** Covers and hides the page until it is closed. */
export interface Overlay {
  readonly id: string;
  /** as a sentence begins */
  readonly title: string;
  readonly Page: ComponentType<OverlayProps>;
  /** dialogs of the page that belong to it, by what `ShellActions` calls them */
  readonly dialogs: Readonly<Record<'export', { readonly title: string; readonly Page: ComponentType<DialogProps> }>>;
  readonly keys?: () => Promise<KeyTable>;
}

interface OverlayProps {
  readonly onClose: () => void;
  /** what had the focus before, and gets it back */
  readonly focusBefore: Element | null;
}

interface DialogProps {
  readonly onClose: () => void;
}

/** A separate page with its own address. */
export interface Standalone {
  readonly id: string;
  readonly isAt: (hash: string) => boolean;
  readonly start: (root: HTMLElement, createStores: CreateStores) => Promise<void>;
}

/** `embedded`: the page shows only what a link says, with its errors, and stores nothing. */
export type CreateStores = (
  window: Window,
  embedded: { readonly link: string; readonly problems: readonly string[] },
) => Promise<Omit<App, 'announce'>>;
