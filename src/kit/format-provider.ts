import type { ComponentType } from 'react';
import type { AnyListedFormat } from '../core/format.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { DocumentStore, Session, SessionState, LinkedFormat } from '../state/index.ts';

export interface FormatOffersProps {
  readonly side: 'a' | 'b';
  /** the query in the list of formats */
  readonly query: string;
  readonly onClose: () => void;
}

interface FormatHost {
  readonly session: Session;
  readonly document: DocumentStore;
  readonly engine: Engine;
  readonly formats: readonly AnyListedFormat[];
}

/** The source of formats outside the catalog: those that people write. */
export interface FormatProvider {
  /**
   * Opens the formats that an address names, and resolves with one sentence for each missing one. A link that contains a format
   * asks first: see `Question`.
   */
  readonly open: (app: FormatHost, wanted: readonly LinkedFormat[]) => Promise<readonly string[]>;
  /** below the list of formats: further ones that can be opened */
  readonly Offers: ComponentType<FormatOffersProps>;
  /** asks whether a format from a link may run; shown while the session has a `pendingConsent` */
  readonly Question: ComponentType<{ readonly question: NonNullable<SessionState['pendingConsent']> }>;
}

/** Opens formats with their provider; without one, all of them are missing. */
export async function openWithProvider(
  app: FormatHost & { readonly provider?: FormatProvider | undefined },
  wanted: readonly LinkedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, wanted);
  return wanted.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one of its own.`);
}
