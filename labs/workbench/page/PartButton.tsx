// The button between the two parts of a kernel's page, which keeps the focus.

import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../src/kit/controls/Button.tsx';

/** Whether a PartButton was just pressed, and has disappeared with its part of the page. */
let wasPressed = false;

export interface PartButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
}

/** A button that leads to another part of a kernel's page, where a button that leads back gets the focus. */
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
