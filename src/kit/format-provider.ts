import type { ComponentType } from 'react';
import type { AnyListedFormat } from '../core/format.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { DocumentStore, Session, SessionState, LinkedFormat } from '../state/index.ts';

/** Properties of the list of further formats, below the list of formats of A or B, the two that are compared. */
export interface FormatOffersProps {
  readonly side: 'a' | 'b';
  /** the query in the list of formats */
  readonly query: string;
  readonly onClose: () => void;
}

/** The part of the application that formats are added to. */
interface FormatHost {
  readonly session: Session;
  readonly document: DocumentStore;
  readonly engine: Engine;
  readonly formats: readonly AnyListedFormat[];
}

/** The source of formats that people write: they are not in the catalog, and may come with a link. */
export interface FormatProvider {
  /** Opens the formats of a link, after asking (see `Question`); resolves with one sentence for each missing one. */
  readonly open: (app: FormatHost, linked: readonly LinkedFormat[]) => Promise<readonly string[]>;
  /** below the list of formats: further ones that can be opened */
  readonly Offers: ComponentType<FormatOffersProps>;
  /** asks whether a format from a link may run; shown while the session has a `pendingConsent` */
  readonly Question: ComponentType<{ readonly question: NonNullable<SessionState['pendingConsent']> }>;
}

/** Opens the formats of a link with the provider; without one, returns a sentence for each. */
export async function openWithProvider(
  app: FormatHost & { readonly provider?: FormatProvider | undefined },
  linked: readonly LinkedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, linked);
  return linked.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one of its own.`);
}
