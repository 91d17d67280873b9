import { Suspense, useId } from 'react';
import { useStore } from 'zustand';
import { type Player as PlayerStore, playingMs, SPEEDS, stopsReached } from '../../state/player.ts';
import { lazyPart } from '../browser/lazy-part.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { Scrubber } from './Scrubber.tsx';
import type { TrackSide } from './StopTrack.tsx';
import { usePlayerClock } from './use-player-clock.ts';
import { Select } from '../controls/Select.tsx';

const StopTrack = lazyPart(async () => (await import('./StopTrack.tsx')).StopTrack);

/** Where a person may choose between key moments and every step. */
interface Moments {
  readonly a: TrackSide;
  /** null where A plays alone */
  readonly b: TrackSide | null;
  readonly onEveryStep: (everyStep: boolean) => void;
}

interface PlayerProps {
  readonly player: PlayerStore;
  /** absent: the player goes by every step, and nobody is asked */
  readonly moments?: Moments;
}

/** Plays the story on the stage: its steps or key moments, buttons, counter and speed. */
export function Player({ player, moments }: PlayerProps) {
  usePlayerClock(player);
  const speedId = useId();
  const { step, stepCount, chapters, stops, everyStep, playing, speed } = useStore(player.store);
  const nothing = stepCount === 0;
  const byMoments = moments !== undefined && !everyStep;
  const what = byMoments ? 'moment' : 'step';
  return (
    <section className={moments ? 'player player--moments' : 'player'} aria-label="Player">
      {byMoments ? (
        <Suspense fallback={<div className="stops" />}>
          <StopTrack
            player={player}
            chapters={chapters}
            stops={stops}
            step={step}
            a={moments.a}
            b={moments.b}
            onOpen={(from) => {
              player.seek(from);
              moments.onEveryStep(true);
            }}
          />
        </Suspense>
      ) : (
        <Scrubber
          chapters={chapters}
          stepCount={stepCount}
          step={step}
          onSeek={player.seek}
          onChapter={(direction) => (direction > 0 ? player.nextChapter() : player.previousChapter())}
        />
      )}
      <div className="player-row">
        <PlayerButton
          icon="first"
          label={byMoments ? 'Start' : 'First step'}
          keys="Home"
          disabled={step === 0}
          onClick={player.first}
        />
        <PlayerButton
          icon="previous"
          label={`Previous ${what}`}
          keys="ArrowLeft"
          disabled={step === 0}
          onClick={player.previous}
        />
        <button
          type="button"
          className="button button--solid play"
          aria-label={playing ? 'Pause' : 'Play'}
          aria-keyshortcuts="Space"
          disabled={nothing}
          onClick={player.toggle}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </button>
        <PlayerButton
          icon="next"
          label={`Next ${what}`}
          keys="ArrowRight"
          disabled={step === stepCount}
          onClick={player.next}
        />
        <PlayerButton
          icon="last"
          label={byMoments ? 'End' : 'Last step'}
          keys="End"
          disabled={step === stepCount}
          onClick={player.last}
        />
        {byMoments ? (
          <p className="player-count">
            <span className="player-count-word">key moment </span>
            <b>{stopsReached(stops, step)}</b>
            <span className="player-total"> of {stops.length}</span>
            <span className="player-left">{leftText(playingMs({ stops, step, speed }))}</span>
          </p>
        ) : (
          <p className="player-count">
            <span className="player-count-word">step </span>
            <b>{step}</b>
            <span className="player-total"> of {stepCount}</span>
          </p>
        )}
        {moments && (
          <button
            type="button"
            role="switch"
            className="switch"
            aria-checked={everyStep}
            aria-keyshortcuts="e"
            title="Every step, or key moments only"
            onClick={() => moments.onEveryStep(!everyStep)}
          >
            <span className="switch-track" aria-hidden="true" />
            <span className="switch-word">every step</span>
            <kbd aria-hidden="true">E</kbd>
          </button>
        )}
        <div className="player-speed">
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

/** 'about 50 s' */
function leftText(ms: number): string {
  if (ms === 0) return '';
  const seconds = ms < 10_000 ? Math.ceil(ms / 1000) : 10 * Math.round(ms / 10_000);
  return seconds < 120 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}

interface PlayerButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function PlayerButton({ icon, label, keys, disabled, onClick }: PlayerButtonProps) {
  // aria-disabled instead of disabled: at the last step the focus must not fall out of the row.
  return (
    <button
      type="button"
      className={`button button--icon player-${icon}`}
      aria-label={label}
      title={label}
      aria-keyshortcuts={keys}
      aria-disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
