import { type ReactNode, Suspense, useId, type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { type Player as PlayerStore, SPEEDS } from '../../state/player.ts';
import { lazyPart } from '../browser/lazy-part.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { frameNumber } from './frame-words.ts';
import { usePlayerClock } from './use-player-clock.ts';
import { Select } from '../controls/Select.tsx';
import type { Chapter } from '../../core/story/trace.ts';
import { chapterAt, chapterStart } from '../../state/played-story.ts';
import { Button } from '../controls/Button.tsx';

interface ScrubberProps {
  readonly chapters: readonly Chapter[];
  readonly stepCount: number;
  readonly step: number;
  readonly onSeek: (step: number) => void;
  readonly onChapter: (direction: 1 | -1) => void;
}

/** The part of the scrubber for one chapter: steps [start, end), with the last one closed. */
interface Span {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

function spansOf(chapters: readonly Chapter[], stepCount: number): readonly Span[] {
  return chapters.map((chapter, i) => ({
    title: chapter.title,
    start: chapterStart(chapters, i),
    end: i + 1 < chapters.length ? chapterStart(chapters, i + 1) : stepCount,
  }));
}

/** Steps per press of Page Up or Page Down. */
const PAGE = 10;

/**
 * The story as one slider whose chapters are segments. Arrow keys go by steps, with Shift by chapters; Page keys by ten; Home
 * and End to the ends; the pointer anywhere.
 */
const Scrubber = memo(function Scrubber({ chapters, stepCount, step, onSeek, onChapter }: ScrubberProps) {
  const track = useRef<HTMLDivElement>(null);
  const spans = spansOf(chapters, stepCount);
  const current = chapterAt(chapters, step);

  const seekTo = (clientX: number): void => {
    const parts = track.current?.children;
    if (!parts) return;
    for (let i = 0; i < spans.length; i++) {
      const box = parts[i].getBoundingClientRect();
      if (clientX > box.right && i + 1 < spans.length) continue;
      const share = box.width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width));
      onSeek(Math.round(spans[i].start + share * (spans[i].end - spans[i].start)));
      return;
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    seekTo(event.clientX);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const back = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
    const on = event.key === 'ArrowRight' || event.key === 'ArrowUp';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (back || on) {
      if (event.shiftKey) onChapter(on ? 1 : -1);
      else onSeek(step + (on ? 1 : -1));
    } else if (event.key === 'PageUp') onSeek(step + PAGE);
    else if (event.key === 'PageDown') onSeek(step - PAGE);
    else if (event.key === 'Home') onSeek(0);
    else if (event.key === 'End') onSeek(stepCount);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div>
      <div
        className="scrubber round-3 as-block relative pointer touch-none"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={stepCount}
        aria-valuenow={step}
        aria-valuetext={valueText(spans, current, step, stepCount)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      >
        <div className="flex items-center gap-half h-24px" ref={track}>
          {spans.map((span, i) => (
            <div
              key={span.title}
              className="scrubber-chapter round-3 relative h-6px"
              style={{ flex: lengthOf(span), '--share': shareOf(span, step) }}
              data-current={i === current || undefined}
            >
              {i === current && (
                <div
                  className="scrubber-knob absolute unclickable ground"
                  style={{ left: `${shareOf(span, step) * 100}%` }}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      <div className="scrubber-names flex gap-half quiet size-12 min-h-6">
        {spans.map((span, i) => (
          <button
            key={span.title}
            type="button"
            className="scrubber-name truncate text-start pointer min-h-6"
            style={{ flex: lengthOf(span) }}
            aria-current={i === current ? 'step' : undefined}
            title={span.title}
            onClick={() => onSeek(span.start)}
          >
            {span.title}
          </button>
        ))}
      </div>
    </div>
  );
});

/** A chapter's share of the width. Short chapters keep space for a few letters of their title. */
function lengthOf(span: Span): string {
  return `${Math.max(1, span.end - span.start)} 1 3.5rem`;
}

function shareOf(span: Span, step: number): number {
  if (span.end === span.start) return step >= span.end ? 1 : 0;
  return Math.min(1, Math.max(0, (step - span.start) / (span.end - span.start)));
}

function valueText(spans: readonly Span[], current: number, step: number, stepCount: number): string {
  const place = `step ${step} of ${stepCount}`;
  return current < 0 ? place : `${spans[current].title}, ${place}`;
}

const FrameTrack = lazyPart(async () => (await import('./FrameTrack.tsx')).FrameTrack);

/** Choices of the player besides the speed. */
export interface PlayerSwitches {
  /** null if there is no other format */
  readonly beside: { readonly title: string; readonly isOn: boolean; readonly onSwitch: (on: boolean) => void } | null;
}

interface PlayerProps {
  readonly player: PlayerStore;
  /** absent: no choices are offered */
  readonly choices?: PlayerSwitches;
}

/**
 * Plays the story on the stage, by frames or by every step: buttons, counter, and speed while it plays by frames. Home and End
 * go to its ends.
 */
export function Player({ player, choices }: PlayerProps) {
  usePlayerClock(player);
  const speedId = useId();
  const { step, stepCount, frame, frames, playing, speed } = useStore(player.store);
  const nothing = stepCount === 0;
  const what = frame === null ? 'step' : 'frame';
  const isFirst = nothing || (frame === null ? step === 0 : frame === 1);
  const isLast = nothing || (frame === null ? step === stepCount : frame >= frames.length);
  return (
    <section className="player" aria-label="Player">
      <PlayerTrack player={player} />
      <div className="player-row flex items-center gap-2 mt-1">
        <PlayerButton
          icon="previous"
          label={`Previous ${what}`}
          keys="ArrowLeft"
          disabled={isFirst}
          onClick={player.previous}
        />
        <Button
          look="solid"
          className="play"
          aria-label={playing ? 'Pause' : 'Play'}
          aria-keyshortcuts="Space"
          disabled={nothing}
          onClick={player.toggle}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </Button>
        <PlayerButton icon="next" label={`Next ${what}`} keys="ArrowRight" disabled={isLast} onClick={player.next} />
        <p className="player-count tabular quiet nowrap">
          <PlayerCount player={player} />
        </p>
        {choices?.beside && (
          <Switch
            isOn={choices.beside.isOn}
            title={`Show ${choices.beside.title} beside it`}
            className="switch--beside"
            onSwitch={choices.beside.onSwitch}
          >
            beside {choices.beside.title}
          </Switch>
        )}
        {choices && (
          <Switch isOn={frame === null} title="Every step, or frames" keys="e" onSwitch={player.setEveryStep}>
            every step
          </Switch>
        )}
        <div
          className="player-speed flex items-center gap-2 quiet"
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

/** The position in the story, and the way to any other: frames as strokes, or every step on one slider. */
export function PlayerTrack({ player }: Pick<PlayerProps, 'player'>) {
  const { step, stepCount, chapters, frame, frames } = useStore(player.store);
  return frame !== null ? (
    <Suspense fallback={<div className="frames" />}>
      <FrameTrack frames={frames} frame={frame} onFrame={player.goTo} />
    </Suspense>
  ) : (
    <Scrubber
      chapters={chapters}
      stepCount={stepCount}
      step={step}
      onSeek={player.seek}
      onChapter={(direction) => (direction > 0 ? player.nextChapter() : player.previousChapter())}
    />
  );
}

/** 'frame 3 of 10', 'question', 'step 20 of 58'; nothing without a story. */
export function PlayerCount({ player }: Pick<PlayerProps, 'player'>) {
  const { step, stepCount, frame, frames } = useStore(player.store);
  if (stepCount === 0) return null;
  if (frame === null)
    return <Count what={<span className="player-count-word">step</span>} number={step} count={stepCount} />;
  const at = frameNumber(frames, frame);
  return at === null ? 'question' : <Count what="frame" {...at} />;
}

interface CountProps {
  readonly what: ReactNode;
  readonly number: number;
  readonly count: number;
}

/** 'frame 3 of 10' */
function Count({ what, number, count }: CountProps) {
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

function Switch({ className = '', isOn, title, keys, onSwitch, children }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={`switch flex items-center gap-2 quiet nowrap pointer min-h-6 ${className}`}
      aria-checked={isOn}
      aria-keyshortcuts={keys}
      title={title}
      onClick={() => onSwitch(!isOn)}
    >
      <span className="switch-track framed round-8px" aria-hidden="true" />
      <span className="switch-word">{children}</span>
      {keys && <kbd aria-hidden="true">{keys.toUpperCase()}</kbd>}
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

function PlayerButton({ icon, label, keys, disabled, onClick }: PlayerButtonProps) {
  // aria-disabled instead of disabled: at either end the focus must stay in the row.
  return (
    <Button
      look="icon"
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
