import { MatrixPicker } from '../../matrix-picker/MatrixPicker.tsx';
import { Neighbours } from '../../matrix-picker/Neighbours.tsx';
import type { PopoverProps } from '../selection-item.ts';

/** The popover for the weights: the matrix picker; for `part` 'model' or 'layer', the other models or layers. */
export function WeightsPopover({ onClose, part, isNarrow }: PopoverProps) {
  if (part === 'model' || part === 'layer') return <Neighbours level={part} onClose={onClose} />;
  return <MatrixPicker onClose={onClose} isNarrow={isNarrow} panel={part} />;
}
