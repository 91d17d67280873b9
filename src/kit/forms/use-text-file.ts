import { CancelledError } from '../../core/errors.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import { useApp } from '../app-context.ts';
import { type Job, useJob } from '../use-job.ts';

interface TextFile {
  /** the file to read if a reference names only a model of the hub */
  readonly main: string;
  readonly maxBytes: number;
}

interface TextFileReading {
  /** Reads the text, and cancels a read in progress. The token is only sent to the hub. */
  readonly read: (reference: string, token: string | null) => void;
  readonly reading: Job<null>;
}

/** Reads text files from an address or the Hugging Face hub. `onText` receives each; the page reports an error. */
export function useTextFile(file: TextFile, onText: (text: string, reference: string) => void): TextFileReading {
  const { engine, session } = useApp();
  const reading = useJob<null>([`Reading ${file.main}`], null);
  const read = (reference: string, token: string | null): void =>
    reading.startWith(async ({ signal }) => {
      try {
        const text = await engine.service<typeof matrix>('matrix').text({ signal }, { reference, token, ...file });
        if (signal.aborted) throw new CancelledError();
        onText(text, reference);
        return null;
      } catch (error) {
        session.fail(error, `Reading ${file.main}`);
        throw error;
      }
    });
  return { read, reading };
}
