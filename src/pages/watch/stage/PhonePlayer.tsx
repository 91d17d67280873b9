import { type RefObject, useEffect } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { FrameTrack } from '../../../kit/stage/FrameTrack.tsx';
import { scriptFrameOf } from '../../../kit/stage/use-scene.ts';
import { usePlayerClock } from '../../../kit/stage/use-player-clock.ts';
import { Button } from '../../../kit/controls/Button.tsx';

/** Whether the story fills the page of a phone. */
export interface PhonePage {
  readonly isFull: boolean;
  readonly setFull: (full: boolean) => void;
}

/** The frames of the story as short bars above the story, on a phone. */
export function PhoneTrack({ setFull }: PhonePage) {
  const { player } = useApp();
  const { frame, frames } = useStore(player.store);
  const goTo = (to: number): void => {
    setFull(true);
    player.goTo(to);
  };
  return <FrameTrack frames={frames} frame={frame ?? 1} onFrame={goTo} />;
}

/** A swipe moves at least this far, px, and this many times further sideways than up or down. */
const MIN_SWIPE_PX = 48;
const MIN_SWIPE_RATIO = 2;

interface PhonePlayerProps {
  readonly stage: RefObject<HTMLElement | null>;
  readonly page: PhonePage;
}

/** The player of a phone: a large button forward and a small one back; a swipe does the same. */
export function PhonePlayer({ stage, page: { setFull } }: PhonePlayerProps) {
  const { player } = useApp();
  usePlayerClock(player);
  const { frame, frames, picture, moving, stepCount } = useStore(player.store);
  const isQuestion = useStore(player.store, (s) => scriptFrameOf(s)?.question !== undefined);
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    let start: { readonly x: number; readonly y: number } | null = null;
    const begin = ({ pointerType, clientX, clientY, target }: PointerEvent): void => {
      const isOnStage =
        target instanceof Element && target.closest('.details-line, .details-section, button, input') === null;
      start = pointerType === 'touch' && isOnStage ? { x: clientX, y: clientY } : null;
    };
    const end = ({ clientX, clientY }: PointerEvent): void => {
      const [dx, dy] = start ? [clientX - start.x, clientY - start.y] : [0, 0];
      start = null;
      // A finger that drags a weight does not swipe.
      if (element.querySelector('[data-over=drag]')) return;
      if (Math.abs(dx) < MIN_SWIPE_PX || Math.abs(dx) < MIN_SWIPE_RATIO * Math.abs(dy)) return;
      setFull(true);
      if (dx < 0) player.next();
      else player.previous();
    };
    element.addEventListener('pointerdown', begin);
    element.addEventListener('pointerup', end);
    return () => {
      element.removeEventListener('pointerdown', begin);
      element.removeEventListener('pointerup', end);
    };
  }, [stage, player, setFull]);
  /** Returns a click listener that moves the story, with the story in full and its picture in view. */
  const go = (move: () => void) => (): void => {
    setFull(true);
    stage.current?.scrollTo({ top: 0 });
    move();
  };
  const isLast = frame !== null && frame >= frames.length && !moving;
  const [label, run] =
    isQuestion && picture === 0
      ? (['Show me', player.answer] as const)
      : isLast
        ? (['Again', player.first] as const)
        : (['Next', player.next] as const);
  return (
    <section className="player phone-player" aria-label="Player">
      <Button
        className="phone-back"
        aria-label="Previous frame"
        aria-disabled={frame === 1}
        onClick={go(player.previous)}
      >
        <Icon name="left" />
      </Button>
      <Button kind="solid" className="phone-next" disabled={stepCount === 0} onClick={go(run)}>
        {label}
        <Icon name="right" />
      </Button>
    </section>
  );
}
