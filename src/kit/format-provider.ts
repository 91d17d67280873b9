import type { ComponentType } from 'react';
import type { AnyListedFormat } from '../core/format.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { DocumentStore, Session, SessionState, WantedFormat } from '../state/index.ts';

export interface FormatOffersProps {
  readonly side: 'a' | 'b';
  /** what was typed to find a format */
  readonly query: string;
  readonly onClose: () => void;
}

/** The page to which formats are added. */
interface FormatTaker {
  readonly session: Session;
  readonly document: DocumentStore;
  readonly engine: Engine;
  /** the list that the whole page has */
  readonly formats: readonly AnyListedFormat[];
}

/** Where formats come from that are not in the catalog: those that people write. */
export interface FormatProvider {
  /**
   * Opens formats that an address names, and resolves with one sentence for each that is missing. A link that carries one
   * asks first: see `Question`.
   */
  readonly open: (app: FormatTaker, wanted: readonly WantedFormat[]) => Promise<readonly string[]>;
  /** below the list of formats: those that could be opened */
  readonly Offers: ComponentType<FormatOffersProps>;
  /** asks whether a format that a link carries may run, as long as the session has such a `module` */
  readonly Question: ComponentType<{ readonly question: NonNullable<SessionState['module']> }>;
}

/** Opens formats with what provides them; without that, each of them is missing. */
export async function openProvided(
  app: FormatTaker & { readonly provider?: FormatProvider | undefined },
  wanted: readonly WantedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, wanted);
  return wanted.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one of its own.`);
}
