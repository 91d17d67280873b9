/** Time limit for a browser to start or to answer a command, ms. It ends a browser that hangs; a busy machine does not reach it. */
export const PATIENCE_MS = 120_000;

/**
 * The operations that tests in all browsers need. Elements are located by XPath, which every browser supports and which
 * can test attributes and text.
 */
export interface Driver {
  /** the browser's own name and version */
  readonly title: string;
  /** Loads an address from scratch. */
  open(url: string): Promise<void>;
  /** Runs a function in the page; its argument and result are passed as JSON. */
  evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<R>;
  /** Moves the pointer to the middle of an element and presses. */
  click(xpath: string): Promise<void>;
  /** Presses a key, named as in KeyboardEvent, where the focus is; with Control held on request. */
  press(key: string, options?: { readonly control: boolean }): Promise<void>;
  /** Chooses the option with this value. */
  select(xpath: string, value: string): Promise<void>;
  /** Sets a file on disk as the value of a file input. */
  upload(xpath: string, path: string): Promise<void>;
  /** PNG of the visible page. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}
