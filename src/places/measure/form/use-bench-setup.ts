import { useStore } from 'zustand';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type AppDocument, placeState } from '../../../state/index.ts';
import type { BenchSetup } from '../../../state/bench-form.ts';
import { MEASURING } from '../address.ts';

/** The request that Run would send now. */
export function benchSetup({ benchForm, document, session, formats }: Omit<App, 'announce'>): BenchSetup {
  const { device, summary: stage, variants } = session.store.getState();
  const { params, places } = document.getState();
  const timesSoftware = asksForSoftware({ places });
  return { form: benchForm.getState(), params, formats, device, stage, variants, timesSoftware };
}

/** `benchSetup` as a hook. */
export function useBenchSetup(): BenchSetup {
  const { benchForm, formats } = useApp();
  const form = useStore(benchForm);
  const params = useDocument((doc) => doc.params);
  const timesSoftware = useDocument(asksForSoftware);
  const device = useSession((s) => s.device);
  const stage = useSession((s) => s.summary);
  const variants = useSession((s) => s.variants);
  return { form, params, formats, device, stage, variants, timesSoftware };
}

function asksForSoftware(doc: Pick<AppDocument, 'places'>): boolean {
  return placeState(doc, MEASURING).software === 'time';
}
