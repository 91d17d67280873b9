import type { ReactNode } from 'react';
import { useApp } from '../app-context.ts';

interface CopyButtonProps {
  /** made when the button is pressed */
  readonly text: () => string | Promise<string>;
  /** what was copied, as the first word of the announcement: 'Link' */
  readonly what: string;
  /** what to do if the browser does not allow copying, as the end of the announcement */
  readonly otherwise: string;
  readonly className?: string;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** A button that copies a text to the clipboard, and announces the result. */
export function CopyButton(props: CopyButtonProps) {
  const { text, what, otherwise, className = 'text-button', disabled = false, children } = props;
  const { announce } = useApp();
  const copy = async (): Promise<void> => copyText(announce, await text(), { what, otherwise });
  return (
    <button type="button" className={className} disabled={disabled} onClick={() => void copy()}>
      {children}
    </button>
  );
}

/** Copies a text and announces '`what` copied.', or that the browser blocked it and what to do: `otherwise`. */
export async function copyText(
  announce: (message: string) => void,
  text: string,
  { what, otherwise, contents }: { readonly what: string; readonly otherwise: string; readonly contents?: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(contents === undefined ? `${what} copied.` : `${what} copied, with ${contents}.`);
  } catch {
    announce(`The browser blocked copying: ${otherwise}.`);
  }
}
