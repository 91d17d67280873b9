import { type ReactNode, useEffect, useRef } from 'react';

/** Whether the button that led here has been pressed and is gone. */
let isLeaving = false;

export interface PartButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
}

/** Leads to another part of a kernel. It disappears with its own part, so the button back takes the focus. */
export function PartButton({ children, onClick }: PartButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLeaving) button.current?.focus();
    isLeaving = false;
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="button"
      onClick={() => {
        isLeaving = true;
        onClick();
      }}
    >
      {children}
    </button>
  );
}
