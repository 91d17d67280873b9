import { isNetworkError, isOwnError, messageOf, quotedWords } from '../../core/error-messages.ts';

/** Replaces the page by two messages: why the application could not start, and what to do. */
export function showStartFailure(root: HTMLElement, error: unknown): void {
  const { defaultView } = root.ownerDocument;
  const paragraph = root.ownerDocument.createElement('p');
  paragraph.setAttribute('role', 'alert');
  paragraph.style.padding = '2rem';
  paragraph.textContent = startFailureText(error, defaultView ?? { origin: '', location: { protocol: '' } });
  root.replaceChildren(paragraph);
}

/**
 * Why the application could not start, and what to do. A page from a server whose origin is 'null' is in a frame that is
 * sandboxed without allow-same-origin: it may start no worker, and browsers report only that a script is not accessible.
 */
export function startFailureText(
  error: unknown,
  { origin, location }: { readonly origin: string; readonly location: { readonly protocol: string } },
): string {
  if (origin === 'null' && /^https?:$/.test(location.protocol)) {
    return 'SparseScope could not start: the frame around it is sandboxed without the permission allow-same-origin, which its worker needs. Add allow-same-origin to the sandbox of the frame, next to allow-scripts.';
  }
  // What to do with an error of the browser follows below.
  const words = isOwnError(error) || isNetworkError(error) ? messageOf(error) : quotedWords(error);
  const reason = words.trim().replace(/[.!?]+$/, '');
  return `SparseScope could not start: ${reason}. Try a current Chrome, Edge, Firefox or Safari.`;
}
