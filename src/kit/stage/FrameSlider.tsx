import type { Frame } from '../../story/frames.ts';
import { useApp, useSession, oncePerPage } from '../app-context.ts';
import { MarkedSlider } from '../forms/MarkedSlider.tsx';
import { visibleStory } from '../../state/index.ts';
import { createChosenPoint, useFrameContext } from './use-frame-context.ts';

/** The slider that moves a frame's picture through its named points, such as '30 %'; nothing if the frame has none. */
export function FrameSlider({ frame }: { readonly frame: Frame | null }) {
  const chosen = oncePerPage(useApp(), createChosenPoint);
  const visibleRegion = useSession((s) => visibleStory(s.trace)?.trace.window);
  const context = useFrameContext();
  const slider = frame?.slider?.(context);
  if (!slider || !visibleRegion) return null;
  const { label, points, index } = slider;
  const max = points.length - 1;
  return (
    <MarkedSlider
      name={label}
      text={points[index]}
      value={index}
      max={max}
      step={1}
      marks={points.map((name, i) => ({ name, position: i / max }))}
      onMove={(i) => chosen.setState({ window: visibleRegion, point: points[i] }, true)}
    >
      <span className="text-muted">{label}</span> <b>{points[index]}</b>
    </MarkedSlider>
  );
}
