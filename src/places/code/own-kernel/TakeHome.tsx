import { saveBlob } from '../../../kit/browser/save-blob.ts';
import { useApp } from '../../../kit/app-context.ts';
import type { Leaving } from '../../../own/home/files.ts';

interface TakeHomeProps extends Omit<Leaving, 'name'> {
  /** null while they are tried */
  readonly lawsHold: boolean | null;
}

/** Saves a format of one's own as the folder of one of the application's, once all laws hold. */
export function TakeHome({ lawsHold, ...leaving }: TakeHomeProps) {
  const { session } = useApp();
  const isReady = lawsHold === true;
  const save = (): void => {
    import('./home-zip.ts').then(({ homeZip }) => {
      const { name, blob } = homeZip(leaving);
      saveBlob(name, blob);
    }, session.fail);
  };
  return (
    <button
      type="button"
      className="button"
      aria-disabled={!isReady}
      title={
        isReady
          ? 'Save a folder for src/formats, in which what is left to write is marked with GAP'
          : 'A folder for src/formats can be saved once all laws hold'
      }
      onClick={isReady ? save : undefined}
    >
      Take it home
    </button>
  );
}
