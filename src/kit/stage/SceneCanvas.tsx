import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Mark, Scene } from '../../core/story/scene.ts';
import type { Enlargement } from '../../render/layout/zoom.ts';
import { SceneView } from '../../render/scene-view.ts';
import { formatColor, type Theme } from '../../render/theme.ts';
import { useApp } from '../app-context.ts';
import { useMedia } from '../browser/use-media.ts';
import { useShell } from '../frame/shell-context.ts';
import { setCurrentSceneView } from './scene-view-registry.ts';
import type { SceneSource } from './use-scene.ts';
import { useShownScene } from './use-shown-scene.ts';

interface SceneCanvasProps {
  readonly scene: Scene;
  /** id of the format that the scene is of: its colour, and what tells one story from another */
  readonly format: string;
  /** likewise of the other one in a picture of two */
  readonly against?: string | null;
  /** whether lines move closer together before rows of a picture are cut; default: in pictures of two formats */
  readonly squeeze?: boolean;
  /** what is saved as a picture, if that is more than this canvas shows */
  readonly whole?: Scene;
  /** another canvas shows the rest of the picture, and is the one that is saved */
  readonly isPart?: boolean;
  /** how far the picture grows into room that is left */
  readonly enlargement?: Enlargement;
  /** where the scene comes from, so that the next one can be prepared; default: the story of A */
  readonly source?: SceneSource;
}

/** The scene on its canvas. */
export function SceneCanvas({
  scene,
  format,
  against = null,
  enlargement,
  source,
  squeeze,
  whole,
  isPart = false,
}: SceneCanvasProps) {
  const { hover, player } = useApp();
  const { theme } = useShell();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<SceneView | null>(null);
  const createView = useEffectEvent((into: HTMLElement) => {
    const onHover = (mark: Mark | null): void => hover.setState({ mark });
    const colors = { formatColor: formatColor(theme, format), againstColor: againstColor(theme, against) };
    return new SceneView(into, { theme, ...colors, reducedMotion, enlargement, squeeze, onHover });
  });

  useEffect(() => {
    if (!container.current) return;
    const created = createView(container.current);
    view.current = created;
    if (!isPart) setCurrentSceneView(created);
    return () => {
      if (!isPart) setCurrentSceneView(null);
      hover.setState({ mark: null });
      view.current = null;
      created.dispose();
    };
  }, [hover, isPart]);

  useEffect(() => {
    view.current?.setTheme(theme, formatColor(theme, format), againstColor(theme, against));
  }, [theme, format, against]);
  useEffect(() => view.current?.setWhole(whole ?? null), [whole]);
  // What is pointed at elsewhere, in a table or on another canvas, lights up here as well.
  useEffect(() => hover.subscribe(({ mark }) => view.current?.setHighlight(mark?.about ?? null)), [hover]);
  useEffect(() => {
    view.current?.setReducedMotion(reducedMotion);
    player.setReducedMotion(reducedMotion);
  }, [reducedMotion, player]);

  useShownScene(view, scene, against === null ? format : `${format} ${against}`, source);

  return (
    <div className="scene-area">
      <div ref={container} className="scene-view" />
      <HoverTooltip container={container} />
    </div>
  );
}

function againstColor(theme: Theme, against: string | null): string | undefined {
  return against === null ? undefined : formatColor(theme, against);
}

/** The tooltip of the mark under the pointer. */
function HoverTooltip({ container }: { readonly container: React.RefObject<HTMLDivElement | null> }) {
  const { hover } = useApp();
  const text = useStore(hover, (state) => state.mark?.label ?? null);
  const [isHere, setIsHere] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = container.current;
    if (!area) return;
    const place = (event: PointerEvent): void => {
      const tooltip = element.current;
      if (!tooltip) return;
      const right = event.clientX + 14;
      const below = event.clientY + 18;
      const left = right + tooltip.offsetWidth > innerWidth ? event.clientX - tooltip.offsetWidth - 10 : right;
      const top = below + tooltip.offsetHeight > innerHeight ? event.clientY - tooltip.offsetHeight - 10 : below;
      tooltip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
    };
    const enter = (): void => setIsHere(true);
    const leave = (event: PointerEvent): void => {
      // A lifted finger leaves; what it touched stays.
      if (event.pointerType !== 'touch') setIsHere(false);
    };
    area.addEventListener('pointerenter', enter);
    area.addEventListener('pointerleave', leave);
    area.addEventListener('pointermove', place);
    return () => {
      area.removeEventListener('pointerenter', enter);
      area.removeEventListener('pointerleave', leave);
      area.removeEventListener('pointermove', place);
    };
  }, [container]);
  return (
    <div ref={element} className="tooltip" hidden={text === null || !isHere} aria-hidden="true">
      {text}
    </div>
  );
}
