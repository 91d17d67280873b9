import { useId } from 'react';
import { useStore } from 'zustand';
import { type Player as PlayerStore, SPEEDS } from '../../state/player.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { Scrubber } from './Scrubber.tsx';
import { usePlayerClock } from './use-player-clock.ts';
import { Select } from '../controls/Select.tsx';

/** Plays the story of the format on the stage: scrubber, buttons, step counter and speed. */
export function Player({ player }: { readonly player: PlayerStore }) {
  usePlayerClock(player);
  const speedId = useId();
  const { step, stepCount, chapters, playing, speed } = useStore(player.store);
  const nothing = stepCount === 0;
  return (
    <section className="player" aria-label="Player">
      <Scrubber
        chapters={chapters}
        stepCount={stepCount}
        step={step}
        onSeek={player.seek}
        onChapter={(direction) => (direction > 0 ? player.nextChapter() : player.previousChapter())}
      />
      <div className="player-row">
        <PlayerButton icon="first" label="First step" keys="Home" disabled={step === 0} onClick={player.first} />
        <PlayerButton
          icon="previous"
          label="Previous step"
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
          label="Next step"
          keys="ArrowRight"
          disabled={step === stepCount}
          onClick={player.next}
        />
        <PlayerButton icon="last" label="Last step" keys="End" disabled={step === stepCount} onClick={player.last} />
        <p className="player-count">
          <span className="player-count-word">step </span>
          <b>{step}</b>
          <span className="player-total"> of {stepCount}</span>
        </p>
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
