/**
 * The few things that a person does with a page, in any browser. Elements are named by XPath, which every browser knows
 * and which can look at attributes and at words.
 */
export interface Driver {
  /** as the browser calls itself, with its version */
  readonly title: string;
  /** Loads an address anew. */
  open(url: string): Promise<void>;
  /** What a function gives that runs in the page, with an argument and an answer that JSON can hold. */
  evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<R>;
  /** Moves the pointer to the middle of an element and presses. */
  click(xpath: string): Promise<void>;
  /** Presses a key, named as KeyboardEvent does, where the focus is; with Control held where that is asked for. */
  press(key: string, options?: { readonly control: boolean }): Promise<void>;
  /** Chooses the option with this value. */
  select(xpath: string, value: string): Promise<void>;
  /** Gives a file on the disk to an input, as the system's picker would. */
  upload(xpath: string, path: string): Promise<void>;
  /** PNG of what is seen. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}
