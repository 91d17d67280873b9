import type { App } from './app-context.ts';
import type { ComponentType } from 'react';
import type { KeyTable } from './place.ts';

/** A page that covers and hides the application until it is closed, such as a presentation. */
export interface Overlay {
  readonly id: string;
  /** its name at the beginning of a sentence */
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

/** A page that is shown in place of the whole application at its own address, such as an embedded frame. */
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
