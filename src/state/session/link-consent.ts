import { linkTarget } from '../../io/web/link-target.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { baseOf } from '../document.ts';
import type { SessionContext } from './session-context.ts';

/** Asks a person before a link has anything fetched. What they type themselves is agreed to. */
export interface LinkConsent {
  /** Whether the source may be opened: at once, or once the question in the store is answered. False as well when another takes its place. */
  ask(source: MatrixSource): Promise<boolean>;
  /** A person wrote this reference. */
  typed(reference: string): void;
  /** The answer to the question in the store; without one nothing happens. */
  answer(agrees: boolean): void;
}

export function createLinkConsent({ store, origins }: SessionContext): LinkConsent {
  /** Addresses that were typed or agreed to in this page: private ones are forgotten with it. */
  const addresses = new Set<string>();
  let settle: ((agrees: boolean) => void) | null = null;

  const agree = ({ address, origin, isPrivate }: NonNullable<ReturnType<typeof linkTarget>>): void => {
    addresses.add(address);
    if (!isPrivate) origins.agree(origin);
  };

  const answer = (agrees: boolean): void => {
    const { question } = store.getState();
    if (agrees && question) agree(question);
    store.setState({ question: null });
    settle?.(agrees);
    settle = null;
  };

  return {
    ask(source) {
      answer(false);
      const base = baseOf(source);
      const target = base.kind === 'remote' ? linkTarget(base.link) : null;
      if (!target || addresses.has(target.address)) return Promise.resolve(true);
      if (!target.isPrivate && origins.has(target.origin)) return Promise.resolve(true);
      store.setState({ question: target });
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    typed(reference) {
      const target = linkTarget(reference);
      if (target) agree(target);
    },
    answer,
  };
}
