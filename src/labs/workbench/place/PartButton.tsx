import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../kit/controls/Button.tsx';

/** Whether the pressed button that led here is gone. */
let isLeaving = false;

export interface PartButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
}

/** Leads to another part of a kernel. It is replaced by the button that leads back, which then takes the focus. */
export function PartButton({ children, onClick }: PartButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLeaving) button.current?.focus();
    isLeaving = false;
  }, []);
  return (
    <Button
      ref={button}
      onClick={() => {
        isLeaving = true;
        onClick();
      }}
    >
      {children}
    </Button>
  );
}
