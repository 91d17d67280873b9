import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import type { Mark, Scene } from '../../core/story/scene.ts';
import type { Enlargement } from '../../render/layout/zoom.ts';
import { SceneView } from '../../render/scene-view.ts';
import { formatColor } from '../../render/theme.ts';
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
  /** how far the picture grows into room that is left */
  readonly enlargement?: Enlargement;
  /** where the scene comes from, so that the next one can be prepared; default: the story of A */
  readonly source?: SceneSource;
}

/** The scene on its canvas. */
export function SceneCanvas({ scene, format, enlargement, source }: SceneCanvasProps) {
  const { hover, player } = useApp();
  const { theme } = useShell();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<SceneView | null>(null);
  const createView = useEffectEvent((into: HTMLElement) => {
    const onHover = (mark: Mark | null): void => hover.setState({ mark });
    return new SceneView(into, { theme, formatColor: formatColor(theme, format), reducedMotion, enlargement, onHover });
  });

  useEffect(() => {
    if (!container.current) return;
    const created = createView(container.current);
    view.current = created;
    setCurrentSceneView(created);
    return () => {
      setCurrentSceneView(null);
      hover.setState({ mark: null });
      view.current = null;
      created.dispose();
    };
  }, [hover]);

  useEffect(() => {
    view.current?.setTheme(theme, formatColor(theme, format));
  }, [theme, format]);
  useEffect(() => {
    view.current?.setReducedMotion(reducedMotion);
    player.setReducedMotion(reducedMotion);
  }, [reducedMotion, player]);

  useShownScene(view, scene, format, source);

  return (
    <div className="scene-area">
      <div ref={container} className="scene-view" />
      <HoverTooltip container={container} />
    </div>
  );
}

/** The tooltip of the mark under the pointer. */
function HoverTooltip({ container }: { readonly container: React.RefObject<HTMLDivElement | null> }) {
  const { hover } = useApp();
  const text = useStore(hover, (state) => state.mark?.label ?? null);
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
    area.addEventListener('pointermove', place);
    return () => area.removeEventListener('pointermove', place);
  }, [container]);
  return (
    <div ref={element} className="tooltip" hidden={text === null} aria-hidden="true">
      {text}
    </div>
  );
}
