import { currentParams } from '../../state/index.ts';
import { encodingOf } from '../../state/session/encoding-queue.ts';
import { useDocument, useSession } from '../../kit/app-context.ts';
import { bytes } from '../../kit/words/quantity.ts';

/** What both formats come to: '199 352 bytes instead of 524 288'. */
export function BytesAnswer() {
  const format = useDocument((doc) => doc.format);
  const params = useDocument(currentParams);
  const against = useDocument((doc) => doc.against);
  const encodings = useSession((s) => s.encodings);
  const bytesOf = (stored: { format: string; params: typeof params }): number | null => {
    const encoding = encodingOf(encodings, stored);
    return encoding?.kind === 'ready' ? (encoding.summary.ledger?.totalBytes ?? null) : null;
  };
  const a = bytesOf({ format, params });
  const b = against && bytesOf(against);
  if (a === null) return 'The bytes are not known yet.';
  return (
    <>
      <b>{bytes(a)}</b>
      {b !== null && ` instead of ${bytes(b)}`}
    </>
  );
}
