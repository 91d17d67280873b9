import type { ReactNode } from 'react';
import { FollowLink } from '../browser/AddressLink.tsx';

/** Leads to where the zeros of activations come from; nothing where no place shows that. */
export function ZerosLink({ children }: { readonly children: ReactNode }) {
  return (
    <FollowLink className="text-button" link="zeros" target={[]}>
      {children}
    </FollowLink>
  );
}
