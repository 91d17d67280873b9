/** Copies a text and announces '`what` copied. `also`', or that the browser blocked it and what to do: `otherwise`. */
export async function copyText(
  announce: (message: string) => void,
  text: string,
  { what, otherwise, also }: { readonly what: string; readonly otherwise: string; readonly also?: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(also === undefined ? `${what} copied.` : `${what} copied. ${also}`);
  } catch {
    announce(`The browser blocked copying: ${otherwise}.`);
  }
}
