import type { PlaceProps } from '../../kit/place.ts';
import { VisualizeNarrow } from './VisualizeNarrow.tsx';
import { VisualizeWide } from './VisualizeWide.tsx';

export function VisualizePage({ wide }: PlaceProps) {
  return wide ? <VisualizeWide /> : <VisualizeNarrow />;
}
