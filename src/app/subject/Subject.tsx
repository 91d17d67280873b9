import './subject.css';
import { useMedia } from '../../kit/browser/use-media.ts';
import { Folded } from './Folded.tsx';
import { Sentence } from './Sentence.tsx';

/** Below this the sentence is plain text of up to three lines. */
const IN_WORDS = '(min-width: 48rem)';

/** The subject of every place. */
export function Subject() {
  return useMedia(IN_WORDS) ? <Sentence /> : <Folded />;
}
