import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { type AppDocument, encodeHash, followLink, type LinkArguments, type LinkTargets } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';

interface AddressLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick' | 'onKeyDown'> {
  /** the document (what the page shows) behind the link, derived from the current one; null hides the link */
  readonly to: (doc: AppDocument) => AppDocument | null;
  /** the action of a plain click; default: it shows that document with the current matrix */
  readonly onFollow?: () => void;
}

/** A link to another view of the page, with its address. A click, Enter and Space follow it without a page load. */
export function AddressLink({ to, onFollow, children, ...anchorProps }: AddressLinkProps) {
  const { document, catalog } = useApp();
  const href = useDocument((doc) => {
    const next = to(doc);
    return next && encodeHash(next, catalog);
  });
  if (href === null) return null;
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (onFollow) return onFollow();
    const next = to(document.getState());
    if (next) document.setState(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <a {...anchorProps} {...{ href, onClick, onKeyDown }}>
      {children}
    </a>
  );
}

interface PageLinkProps<K extends keyof LinkTargets> extends Omit<AddressLinkProps, 'to' | 'onFollow' | 'target'> {
  readonly link: K;
  readonly target: LinkArguments<K>;
}

/** A link to another page by its name in `LinkTargets`; nothing if no page offers it. */
export function PageLink<K extends keyof LinkTargets>({ link, target, ...linkProps }: PageLinkProps<K>) {
  const { catalog, session } = useApp();
  return (
    <AddressLink
      {...linkProps}
      to={(doc) => followLink(catalog.pages, doc, link, ...target)} // bounded: one argument at most
      onFollow={() => session.follow(link, ...target)} // bounded: one argument at most
    />
  );
}
