import { useSession } from '../app-context.ts';

/** Says that the GPU does not answer, and what can be done; nothing while it does. */
export function GpuSilence({ canCancel = true }: { readonly canCancel?: boolean }) {
  const seconds = useSession((s) => s.gpuSilentS);
  if (seconds === null) return null;
  return (
    // The number changes every other second: only the appearance of the message is announced.
    <p className="text-13" role="status" aria-atomic="false" aria-relevant="additions">
      The GPU has not answered for {seconds} s. {canCancel ? 'Cancel, or reload the page' : 'Reload the page'}; closing
      other tabs and programs that use the GPU may help.
    </p>
  );
}
