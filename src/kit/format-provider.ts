import type { ComponentType } from 'react';
import type { AnyListedFormat } from '../core/format.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { DocumentStore, Session, SessionState, LinkedFormat } from '../state/index.ts';

/** Properties of the list of custom formats; it is below the page's own formats, in the list for A or B. */
export interface FormatOffersProps {
  /** which of the two compared formats is being chosen */
  readonly side: 'a' | 'b';
  /** the text typed to search the list */
  readonly query: string;
  readonly onClose: () => void;
}

/** The parts of the application that opening a format changes. */
interface FormatHost {
  readonly session: Session;
  readonly document: DocumentStore;
  readonly engine: Engine;
  readonly formats: readonly AnyListedFormat[];
}

/** Opens custom formats. They are not in the catalog; a link may contain one. */
export interface FormatProvider {
  /** Opens the formats of a link, after the user agrees (`Question`); resolves with a message for each rejected one. */
  readonly open: (app: FormatHost, linked: readonly LinkedFormat[]) => Promise<readonly string[]>;
  /** the list of written formats that can be opened */
  readonly Offers: ComponentType<FormatOffersProps>;
  /** a dialog about whether a format from a link may run; visible while the session has a `pendingConsent` */
  readonly Question: ComponentType<{ readonly question: NonNullable<SessionState['pendingConsent']> }>;
}

/** Opens the formats of a link with the provider; without a provider, returns a message that rejects each format. */
export async function openWithProvider(
  app: FormatHost & { readonly provider?: FormatProvider | undefined },
  linked: readonly LinkedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, linked);
  return linked.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one it has.`);
}
