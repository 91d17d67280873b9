import type { App } from './app-context.ts';

/** A page that is shown in place of the whole application at its own address, such as an embedded frame. */
export interface Standalone {
  readonly id: string;
  readonly isAt: (hash: string) => boolean;
  readonly start: (root: HTMLElement, createStores: CreateStores) => Promise<void>;
}

/** `embedded`: the page shows only its link's content and problems, and stores nothing. */
export type CreateStores = (
  window: Window,
  embedded: { readonly link: string; readonly problems: readonly string[] },
) => Promise<Omit<App, 'announce'>>;
