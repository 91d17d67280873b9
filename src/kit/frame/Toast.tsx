import { useCallback, useEffect, useState } from 'react';

/** How long a short message is shown. */
const STAY_MS = 4000;

/** The current message, and the function that sets it; it disappears by itself. */
export function useToast(): { readonly message: string; readonly announce: (message: string) => void } {
  // The serial number starts the time again for an equal message.
  const [toast, setToast] = useState({ message: '', serial: 0 });
  const announce = useCallback((message: string) => setToast((s) => ({ message, serial: s.serial + 1 })), []);
  useEffect(() => {
    if (toast.message === '') return;
    const timer = setTimeout(() => setToast((s) => ({ ...s, message: '' })), STAY_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return { message: toast.message, announce };
}

/** A short message above everything, read aloud politely. */
export function Toast({ message }: { readonly message: string }) {
  return (
    <div
      className="toast fixed z-25 left-1/2 bottom-6 max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md px-4 py-2 shadow-float bg-(--strong) text-on-strong empty:hidden"
      role="status"
    >
      {message}
    </div>
  );
}
