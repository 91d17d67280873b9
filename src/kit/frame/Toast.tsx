import { useCallback, useEffect, useState } from 'react';

/** How long a short message stays. */
const STAY_MS = 4000;

/** A message with a way to set it; it goes by itself. */
export function useToast(): { readonly message: string; readonly announce: (message: string) => void } {
  const [shown, setShown] = useState({ message: '', serial: 0 });
  const announce = useCallback((message: string) => setShown((s) => ({ message, serial: s.serial + 1 })), []);
  useEffect(() => {
    if (shown.message === '') return;
    const timer = setTimeout(() => setShown((s) => ({ ...s, message: '' })), STAY_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return { message: shown.message, announce };
}

/** A short message above everything, read out politely. */
export function Toast({ message }: { readonly message: string }) {
  return (
    <div className="toast rounded afloat fixed text-on-strong" role="status">
      {message}
    </div>
  );
}
