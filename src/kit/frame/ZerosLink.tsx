import type { ReactNode } from 'react';
import { followLink } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';

/** Leads to where the zeros of activations come from; nothing where no place shows that. */
export function ZerosLink({ children }: { readonly children: ReactNode }) {
  const { catalog, session } = useApp();
  const leads = useDocument((doc) => followLink(catalog.places, doc, 'zeros') !== null);
  return (
    leads && (
      <button type="button" className="text-button" onClick={() => session.follow('zeros')}>
        {children}
      </button>
    )
  );
}
