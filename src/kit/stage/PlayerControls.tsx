import { counted } from '../../core/text/words.ts';
import { type ReactNode, Suspense, useId } from 'react';
import { useStore } from 'zustand';
import { type Player, SPEEDS, isQuestion } from '../../state/index.ts';
import { lazyPart } from '../browser/lazy-part.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { usePlayerClock } from './use-player-clock.ts';
import { Select } from '../controls/Select.tsx';
import { Button } from '../controls/Button.tsx';
import { Scrubber } from './Scrubber.tsx';

const FrameTrack = lazyPart(async () => (await import('./FrameTrack.tsx')).FrameTrack);

/** Settings of the switches after the buttons. If given, a further switch shows every step instead of frames. */
export interface PlayerSwitches {
  /** shows B, the format that A is compared with, next to A; null without B */
  readonly secondFormatSwitch: {
    readonly title: string;
    readonly isOn: boolean;
    readonly onSwitch: (on: boolean) => void;
  } | null;
  /** shows every byte below the picture; default: no such switch */
  readonly bytesSwitch?: { readonly isOn: boolean; readonly onSwitch: (on: boolean) => void };
}

interface PlayerControlsProps {
  readonly player: Player;
  /** default: none */
  readonly switches?: PlayerSwitches;
}

/** The controls for playing a story (an animation): its track, buttons, a counter, switches and the speed. */
export function PlayerControls({ player, switches }: PlayerControlsProps) {
  usePlayerClock(player);
  const speedId = useId();
  const { step, stepCount, frame, frames, playing, speed } = useStore(player.store);
  const isEmpty = stepCount === 0;
  const what = frame === null ? 'step' : 'frame';
  const isFirst = isEmpty || (frame === null ? step === 0 : frame === 1);
  const isLast = isEmpty || (frame === null ? step === stepCount : frame >= frames.length);
  return (
    <section className="player" aria-label="Player">
      <PlayerTrack player={player} />
      <div className="player-row flex items-center gap-2 mt-1 in-[.app--narrow]:gap-1 in-[.app--narrow]:flex-wrap">
        <PlayerButton
          icon="previous"
          label={`Previous ${what}`}
          keys="ArrowLeft"
          disabled={isFirst}
          onClick={player.previous}
        />
        <Button
          kind="solid"
          className="play w-10"
          aria-label={playing ? 'Pause' : 'Play'}
          aria-keyshortcuts="Space"
          disabled={isEmpty}
          onClick={player.toggle}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </Button>
        <PlayerButton icon="next" label={`Next ${what}`} keys="ArrowRight" disabled={isLast} onClick={player.next} />
        <p className="player-count tabular-nums text-muted whitespace-nowrap ms-2 in-[.app--narrow]:ms-1">
          <PlayerCount player={player} />
        </p>
        <p className="player-time me-auto truncate min-w-0 text-muted in-[.app--narrow]:hidden @max-[36rem]:hidden">
          <PlayerTime player={player} />
        </p>
        {switches?.secondFormatSwitch && (
          <Switch
            isOn={switches.secondFormatSwitch.isOn}
            title={`Show ${switches.secondFormatSwitch.title} beside it`}
            className="switch--second"
            onSwitch={switches.secondFormatSwitch.onSwitch}
          >
            with {switches.secondFormatSwitch.title}
          </Switch>
        )}
        {switches?.bytesSwitch && (
          <Switch {...switches.bytesSwitch} title="Every byte, below the picture" keys="b" className="switch--bytes">
            every byte
          </Switch>
        )}
        {switches && (
          <Switch isOn={frame === null} title="Every step, or frames" keys="e" onSwitch={player.setEveryStep}>
            every step
          </Switch>
        )}
        {/* Invisible while a frame is at rest; not removed, so that buttons do not move and the focus stays. */}
        <div
          className="player-speed flex items-center gap-2 text-muted [&_.select]:w-17 data-idle:not-focus-within:invisible"
          data-idle={(frame !== null && !playing && speed === 1) || undefined}
        >
          <label htmlFor={speedId} className="player-speed-name">
            speed
          </label>
          <Select
            id={speedId}
            value={speed}
            options={SPEEDS.map((s) => ({ value: s, label: `${s}×` }))}
            onChange={player.setSpeed}
          />
        </div>
      </div>
    </section>
  );
}

/** The position in the story, with a button or a slider to any other: frames as strokes, or every step on one slider. */
export function PlayerTrack({ player }: Pick<PlayerControlsProps, 'player'>) {
  const { step, stepCount, chapters, frame, frames, stops } = useStore(player.store);
  return frame !== null ? (
    <Suspense fallback={<div className="frames flex gap-3 min-h-[calc(24px+1.5rem)]" />}>
      <FrameTrack frames={frames} frame={frame} onFrame={player.goTo} />
    </Suspense>
  ) : (
    <Scrubber
      chapters={chapters}
      stepCount={stepCount}
      step={step}
      hasStops={stops.length > 0}
      onSeek={player.seek}
      onStop={(direction) => (direction > 0 ? player.next() : player.previous())}
      onChapter={(direction) => (direction > 0 ? player.nextChapter() : player.previousChapter())}
    />
  );
}

/** 'frame 3 of 10', 'frame 4 of 10, a question', 'step 20 of 58'; nothing without a story. */
export function PlayerCount({ player }: Pick<PlayerControlsProps, 'player'>) {
  const { step, stepCount, frame, frames } = useStore(player.store);
  if (stepCount === 0) return null;
  if (frame === null)
    return <Count what={<span className="player-count-word">step</span>} number={step} count={stepCount} />;
  return (
    <>
      <Count what="frame" number={frame} count={frames.length} />
      {isQuestion(frames[frame - 1]) && ', a question'}
    </>
  );
}

/**
 * How long the story takes: 'about 3 minutes'; nothing without a story. While every step is shown: at which of its stops
 * it is, and the key that goes to a single step between them.
 */
export function PlayerTime({ player }: Pick<PlayerControlsProps, 'player'>) {
  const stop = useStore(player.store, ({ frame, step, stops }) =>
    frame === null && stops.length > 0 ? `stop ${stops.filter((at) => at <= step).length} of ${stops.length}` : null,
  );
  const ms = useStore(player.store, ({ frame, frames }) =>
    frame === null || frames.length === 0 ? null : player.durationMs(),
  );
  if (stop !== null) return `${stop}; Shift + \u2192: one step`;
  return ms === null ? null : aboutMinutes(ms);
}

/** 'about 3 minutes'. */
function aboutMinutes(ms: number): string {
  return `about ${counted(Math.max(1, Math.round(ms / 60_000)), 'minute')}`;
}

/** A position among a number of things: 'frame 3 of 10'. */
function Count({ what, number, count }: { readonly what: ReactNode; readonly number: number; readonly count: number }) {
  return (
    <>
      {what} <b className="text-ink">{number}</b>
      <span className="player-total"> of {count}</span>
    </>
  );
}

interface SwitchProps {
  readonly className?: string;
  readonly isOn: boolean;
  readonly title: string;
  readonly keys?: string;
  readonly onSwitch: (on: boolean) => void;
  readonly children: ReactNode;
}

/** A labelled switch, with the key that also flips it. */
export function Switch({ className = '', isOn, title, keys, onSwitch, children }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={`switch flex items-center gap-2 text-muted whitespace-nowrap cursor-pointer min-h-6 ${className}`}
      aria-checked={isOn}
      aria-keyshortcuts={keys}
      title={title}
      onClick={() => onSwitch(!isOn)}
    >
      <span className="switch-track border border-control-border rounded-[8px]" aria-hidden="true" />
      <span className="switch-word">{children}</span>
      {keys && (
        <kbd className="@max-[36rem]:hidden in-[.app--narrow]:hidden" aria-hidden="true">
          {keys.toUpperCase()}
        </kbd>
      )}
    </button>
  );
}

interface PlayerButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** A square button with an icon; at either end of the story it is drawn as disabled, and keeps the focus. */
function PlayerButton({ icon, label, keys, disabled, onClick }: PlayerButtonProps) {
  return (
    <Button
      kind="icon"
      className="in-[.app--narrow]:w-9"
      aria-label={label}
      title={label}
      aria-keyshortcuts={keys}
      aria-disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </Button>
  );
}
