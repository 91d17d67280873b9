import { version } from '../../../package.json';
import { Dialog } from '../../kit/frame/Dialog.tsx';

/** The dialog 'About': the version of the page, and its licences. */
export function About({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={`SparseScope ${version}`} onClose={onClose}>
      <div className="dialog-body grid gap-2">
        <p>Sparse-matrix formats of language models, explained and measured on your GPU.</p>
        <p>
          MIT licence.{' '}
          <a href="licences.txt" target="_blank" rel="noreferrer">
            Licences of all its parts
          </a>
        </p>
      </div>
    </Dialog>
  );
}
