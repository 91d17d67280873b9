/**
 * Copies a text, and says whether it worked: 'Link copied.' `what` begins that sentence; `otherwise`
 * is what a person can do where the browser does not allow it.
 */
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
