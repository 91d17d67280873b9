import { useSession } from '../app-context.ts';
import { runEndText } from './run-verdict.ts';

/** Why the newest run of this visit has no times, shown where its progress was; nothing if it has times. */
export function RunEndNote() {
  const text = useSession(({ bench: { ended, runs } }) => runEndText(ended, runs));
  if (text === null) return null;
  return (
    <p className="mt-2" role="status">
      {text}
    </p>
  );
}
