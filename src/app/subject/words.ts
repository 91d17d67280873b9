import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { ALabel, BLabel } from './FormatLabel.tsx';
import { OfButtons } from './of/OfButtons.tsx';
import { OfLabel } from './of/OfLabel.tsx';
import { OnWord } from './OnWord.tsx';
import { PrunedLabel } from './of/PrunedLabel.tsx';
import { TokensLabel } from './TokensLabel.tsx';
import type { Word } from './word.ts';

const OfPopover = lazyPart(async () => (await import('./of/OfPopover.tsx')).OfPopover);
const PrunedPopover = lazyPart(async () => (await import('./of/PrunedPopover.tsx')).PrunedPopover);
const APopover = lazyPart(async () => (await import('./FormatPopover.tsx')).APopover);
const BPopover = lazyPart(async () => (await import('./FormatPopover.tsx')).BPopover);
const OnPopover = lazyPart(async () => (await import('./OnPopover.tsx')).OnPopover);
const TokensPopover = lazyPart(async () => (await import('./TokensPopover.tsx')).TokensPopover);

/** The sentence, in its order; between A and B is 'against', which exchanges them. */
export const WORDS: readonly Word[] = [
  { id: 'of', before: 'weights', name: 'Weights', Label: OfLabel, Popover: OfPopover, Buttons: OfButtons },
  { id: 'pruned', before: 'pruned to', name: 'Pruned to', Label: PrunedLabel, Popover: PrunedPopover },
  { id: 'a', before: 'in', name: 'A', Label: ALabel, Popover: APopover },
  { id: 'b', before: 'against', name: 'B', Label: BLabel, Popover: BPopover },
  { id: 'on', before: 'on', name: 'Device', Label: OnWord, Popover: OnPopover },
  { id: 'tokens', before: 'with', name: 'Tokens', Label: TokensLabel, Popover: TokensPopover },
];
