import type { ComponentType } from 'react';
import type { SessionState, WantedFormat } from '../state/index.ts';
import type { App } from './app-context.ts';

export interface FormatOffersProps {
  readonly side: 'a' | 'b';
  /** what was typed to find a format */
  readonly query: string;
  readonly onClose: () => void;
}

/** Where formats come from that are not in the catalog: those that people write. */
export interface FormatProvider {
  /**
   * Opens formats that an address names, and resolves with one sentence for each that is missing. A link that carries one
   * asks first: see `Question`.
   */
  readonly open: (
    app: Pick<App, 'session' | 'document' | 'engine' | 'formats'>,
    wanted: readonly WantedFormat[],
  ) => Promise<readonly string[]>;
  /** below the list of formats: those that could be opened */
  readonly Offers: ComponentType<FormatOffersProps>;
  /** asks whether a format that a link carries may run, as long as the session has such a `module` */
  readonly Question: ComponentType<{ readonly question: NonNullable<SessionState['module']> }>;
}

/** Opens formats with what provides them; without that, each of them is missing. */
export async function openProvided(
  app: Pick<App, 'session' | 'document' | 'engine' | 'formats' | 'provider'>,
  wanted: readonly WantedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, wanted);
  return wanted.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one of its own.`);
}
