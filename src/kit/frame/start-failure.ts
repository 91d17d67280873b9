import { messageOf } from '../../core/errors.ts';

/** Replaces the page by one sentence about why the application could not start, and what to do. */
export function showStartFailure(root: HTMLElement, error: unknown): void {
  const reason = messageOf(error);
  const paragraph = root.ownerDocument.createElement('p');
  paragraph.setAttribute('role', 'alert');
  paragraph.style.padding = '2rem';
  paragraph.textContent = `SparseScope could not start: ${reason}. Try a current Chrome, Edge, Firefox or Safari.`;
  root.replaceChildren(paragraph);
}
