import { sameStored, type Stored } from '../document.ts';
import type { EncodingState, SessionState } from './session-state.ts';

/** How far a format with these parameters is in encoding the open matrix; null where nobody has asked for them. */
export function encodingOf({ encodings }: Pick<SessionState, 'encodings'>, stored: Stored): EncodingState | null {
  const { format } = stored;
  const encoding = encodings[format];
  return encoding && sameStored({ format, params: encoding.params }, stored) ? encoding : null;
}
