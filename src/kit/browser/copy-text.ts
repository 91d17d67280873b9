/**
 * Copies a text to the clipboard, and announces whether it worked: 'Link copied.' `what` begins that sentence, `also` follows
 * it; `otherwise` says what a person can do if the browser refuses.
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
