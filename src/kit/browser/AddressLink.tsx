import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { type AppDocument, encodeHash, followLink } from '../../state/index.ts';
import type { LinkArguments, LinkTargets } from '../../state/place-address.ts';
import { useApp, useDocument } from '../app-context.ts';

interface AddressLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick' | 'onKeyDown'> {
  /** the document that it leads to from the one of now; null: it leads nowhere, and is not there */
  readonly to: (doc: AppDocument) => AppDocument | null;
  /** what a plain click does; default: it shows that document, whose matrix is the one of now */
  readonly onFollow?: () => void;
}

/**
 * A way on within the page, as a link: it can be opened in another tab and copied. A plain click, Enter and Space follow it
 * here, where nothing is loaded anew.
 */
export function AddressLink({ to, onFollow, children, ...rest }: AddressLinkProps) {
  const { document, catalog } = useApp();
  const href = useDocument((doc) => {
    const next = to(doc);
    return next && encodeHash(next, catalog);
  });
  if (href === null) return null;
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (onFollow) return onFollow();
    const next = to(document.getState());
    if (next) document.setState(next);
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <a {...rest} href={href} onClick={follow} onKeyDown={press}>
      {children}
    </a>
  );
}

interface FollowLinkProps<K extends keyof LinkTargets> extends Omit<AddressLinkProps, 'to' | 'onFollow' | 'target'> {
  readonly link: K;
  readonly target: LinkArguments<K>;
}

/** The way to whichever place offers a link; nothing where none does. */
export function FollowLink<K extends keyof LinkTargets>({ link, target, ...rest }: FollowLinkProps<K>) {
  const { catalog, session } = useApp();
  return (
    <AddressLink
      {...rest}
      to={(doc) => followLink(catalog.places, doc, link, ...target)} // bounded: one argument at most
      onFollow={() => session.follow(link, ...target)} // bounded: one argument at most
    />
  );
}
