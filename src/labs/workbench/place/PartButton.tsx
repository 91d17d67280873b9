import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../kit/controls/Button.tsx';

/** Whether a button of this kind was just pressed, and has disappeared with its part. */
let wasPressed = false;

export interface PartButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
}

/** A button that leads to another part of a kernel's page. The button that leads back replaces it, and takes the focus. */
export function PartButton({ children, onClick }: PartButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wasPressed) button.current?.focus();
    wasPressed = false;
  }, []);
  return (
    <Button
      ref={button}
      onClick={() => {
        wasPressed = true;
        onClick();
      }}
    >
      {children}
    </Button>
  );
}
