import { useStore } from 'zustand';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import type { BenchSetup } from '../../../state/bench-form.ts';

/** The request that Run would send now. */
export function benchSetup({ benchForm, document, session, formats }: Omit<App, 'announce'>): BenchSetup {
  const { device, summary, variants } = session.store.getState();
  return { form: benchForm.getState(), params: document.getState().params, formats, device, stage: summary, variants };
}

/** `benchSetup` as a hook. */
export function useBenchSetup(): BenchSetup {
  const { benchForm, formats } = useApp();
  const form = useStore(benchForm);
  const params = useDocument((doc) => doc.params);
  const device = useSession((s) => s.device);
  const stage = useSession((s) => s.summary);
  const variants = useSession((s) => s.variants);
  return { form, params, formats, device, stage, variants };
}
