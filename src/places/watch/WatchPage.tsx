import type { PlaceProps } from '../../kit/place.ts';
import { WatchNarrow } from './WatchNarrow.tsx';
import { WatchWide } from './WatchWide.tsx';

export function WatchPage({ wide }: PlaceProps) {
  return wide ? <WatchWide /> : <WatchNarrow />;
}
