import type { ComponentType } from 'react';
import type { AnyListedFormat } from '../core/format.ts';
import type { Engine } from '../engine/bridge/engine.ts';
import type { DocumentStore, Session, SessionState, LinkedFormat } from '../state/index.ts';

/** Properties of the list of custom formats, which is below the formats of the catalog in the popover for A or B. */
export interface CustomFormatListProps {
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

/** Opens custom formats, which are not in the catalog: users write them, and links may contain them. */
export interface FormatProvider {
  /** Opens the custom formats of a link, after the user agrees; resolves with a message for each rejected one. */
  readonly open: (app: FormatHost, linked: readonly LinkedFormat[]) => Promise<readonly string[]>;
  /** the list of the user's custom formats that can be opened */
  readonly CustomFormatList: ComponentType<CustomFormatListProps>;
  /** a dialog that asks whether a custom format from a link may run; visible while the session has a `pendingConsent` */
  readonly ConsentDialog: ComponentType<{ readonly question: NonNullable<SessionState['pendingConsent']> }>;
}

/** Opens the custom formats of a link with the provider; without a provider, returns a message that rejects each format. */
export async function openWithProvider(
  app: FormatHost & { readonly provider?: FormatProvider | undefined },
  linked: readonly LinkedFormat[],
): Promise<readonly string[]> {
  if (app.provider) return app.provider.open(app, linked);
  return linked.map(({ id }) => `Link: found the format ${id}, which this page cannot open; expected one it has.`);
}
