import { useDocument } from '../../kit/app-context.ts';
import { counted } from '../../core/story/words.ts';

/** '1 token' */
export function TokensLabel() {
  const tokens = useDocument((doc) => doc.tokens);
  return <b>{counted(tokens, 'token')}</b>;
}
