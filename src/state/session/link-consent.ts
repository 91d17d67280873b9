import type { LinkTarget } from '../../io/web/link-target.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { baseOf } from '../document.ts';
import type { SessionContext } from './session-context.ts';

/**
 * The server of a link; null for the Hugging Face hub, which needs no consent. The module `link-target.ts` is
 * loaded with the first link.
 */
async function targetOf(link: string): Promise<LinkTarget | null> {
  const { linkTarget } = await import('../../io/web/link-target.ts');
  return linkTarget(link);
}

/** Asks the user before a link loads a matrix from a server, unless the user typed or allowed its address before. */
export function createLinkConsent({ store, origins, fail }: SessionContext) {
  /** Addresses that the user typed or allowed since the page was loaded; origins of public ones are also stored. */
  const addresses = new Set<string>();
  let settle: ((agrees: boolean) => void) | null = null;
  let askCount = 0;

  const allow = ({ address, origin, isPrivate }: LinkTarget): void => {
    addresses.add(address);
    if (!isPrivate) origins.agree(origin);
  };

  /** The server that needs the user's consent; null for none. Rejects if its module cannot be loaded. */
  const unknownTarget = async (source: MatrixSource): Promise<LinkTarget | null> => {
    const base = baseOf(source);
    const target = base.kind === 'remote' ? await targetOf(base.link) : null;
    const isKnown = !target || addresses.has(target.address) || (!target.isPrivate && origins.has(target.origin));
    return isKnown ? null : target;
  };

  /** Answers the pending question, if there is one. */
  const answer = (agrees: boolean): void => {
    const { question } = store.getState();
    if (agrees && question) allow(question);
    store.setState({ question: null });
    settle?.(agrees);
    settle = null;
  };

  return {
    /** Whether the source may be opened, if needed after a question; false after a later call, or an error on the page. */
    async ask(source: MatrixSource): Promise<boolean> {
      answer(false);
      const askNumber = ++askCount;
      const target = await unknownTarget(source).catch(fail); // undefined: the page shows the error
      if (askNumber !== askCount) return false;
      if (!target) return target === null;
      store.setState({ question: target });
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    /** Whether the source may be opened without a question. */
    isAllowed: (source: MatrixSource): Promise<boolean> =>
      unknownTarget(source).then(
        (target) => target === null,
        () => false,
      ),
    /** Allows the address of a link that the user typed. If the module cannot be loaded, `ask` asks about it later. */
    async typed(link: string): Promise<void> {
      const target = await targetOf(link).catch(() => null);
      if (target) allow(target);
    },
    answer,
  };
}
