import { Chooser } from '../../chooser/Chooser.tsx';
import { Neighbours } from '../../chooser/Neighbours.tsx';
import type { PopoverProps } from '../sentence-word.ts';

/** What the word 'weights' opens: the chooser, one of its panels, or the neighbours of a name in the breadcrumb. */
export function WeightsPopover({ onClose, part, isNarrow }: PopoverProps) {
  if (part === 'model' || part === 'layer') return <Neighbours level={part} onClose={onClose} />;
  return <Chooser onClose={onClose} isNarrow={isNarrow} panel={part} />;
}
