import type { ReactNode } from 'react';
import { FollowLink } from '../browser/AddressLink.tsx';

/** A link to the place that shows how activations get their zeros; nothing if no place does. */
export function ZerosLink({ children }: { readonly children: ReactNode }) {
  return (
    <FollowLink className="text-button" link="zeros" target={[]}>
      {children}
    </FollowLink>
  );
}
