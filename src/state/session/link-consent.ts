import type { LinkTarget } from '../../io/web/link-target.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { baseOf } from '../document.ts';
import type { SessionContext } from './session-context.ts';

/**
 * The server that a reference leads to; null for the Hugging Face hub, for which no consent is asked. The module that
 * finds it is loaded with the first link.
 */
async function targetOf(reference: string): Promise<LinkTarget | null> {
  const { linkTarget } = await import('../../io/web/link-target.ts');
  return linkTarget(reference);
}

/** Asks a person before a link loads a matrix from a server. An address that they typed counts as agreed to. */
export function createLinkConsent({ store, origins }: SessionContext) {
  /** Addresses that were typed or agreed to on this page; private ones are forgotten with it. */
  const addresses = new Set<string>();
  let settle: ((agrees: boolean) => void) | null = null;

  const agree = ({ address, origin, isPrivate }: LinkTarget): void => {
    addresses.add(address);
    if (!isPrivate) origins.agree(origin);
  };

  /** Answers the pending question; without one nothing happens. */
  const answer = (agrees: boolean): void => {
    const { question } = store.getState();
    if (agrees && question) agree(question);
    store.setState({ question: null });
    settle?.(agrees);
    settle = null;
  };

  return {
    /** Whether the source may be opened, perhaps after an answer; false if another question replaces it. */
    async ask(source: MatrixSource): Promise<boolean> {
      answer(false);
      const base = baseOf(source);
      const target = base.kind === 'remote' ? await targetOf(base.link) : null;
      if (!target || addresses.has(target.address)) return true;
      if (!target.isPrivate && origins.has(target.origin)) return true;
      // Another link may have raised its own question meanwhile.
      answer(false);
      store.setState({ question: target });
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    /** Records that a person typed this reference. */
    async typed(reference: string): Promise<void> {
      const target = await targetOf(reference);
      if (target) agree(target);
    },
    answer,
  };
}
