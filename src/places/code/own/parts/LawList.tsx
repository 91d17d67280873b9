import { counted, countText } from '../../../../core/story/words.ts';
import type { LawState } from '../../../../own/laws.ts';
import { CopyButton } from '../../../../kit/controls/CopyButton.tsx';
import { Icon } from '../../../../kit/controls/Icon.tsx';
import { Section } from '../../../../kit/controls/Section.tsx';
import type { Counterexample } from '../live/module-state.ts';
import { type PlayedModule, useModuleState } from '../use-live-module.ts';
import { CounterexamplePicture } from './CounterexamplePicture.tsx';
import { testText } from './test-text.ts';

/** Titles of the laws before any has been tried. */
export const LAW_TITLES = [
  'Gives the matrix back',
  'No cell twice, none outside',
  'Every element matters',
  'The arrays are enough',
  'The same bytes again',
  'Each non-zero is narrated exactly once',
];

interface LawListProps {
  readonly own: PlayedModule;
  readonly name: string;
  readonly onStage: (found: Counterexample) => void;
  /** Exercises keep what breaks a law to themselves. */
  readonly isSecret?: boolean;
}

/** The laws with their counts as they are tried, and the smallest matrix that breaks each. */
export function LawList({ own, name, onStage, isSecret = false }: LawListProps) {
  const laws = useModuleState(own, (s) => s.laws);
  const ms = useModuleState(own, (s) => s.lawsMs);
  const phase = useModuleState(own, (s) => s.phase);
  const counterexamples = useModuleState(own, (s) => s.counterexamples);
  const params = useModuleState(own, (s) => s.params);
  const isTrying = phase === 'running' && ms === null;
  const aside =
    laws === null
      ? isTrying
        ? 'being tried'
        : 'not tried'
      : ms === null
        ? isTrying
          ? 'being tried'
          : 'not tried to the end'
        : `${laws.matrices} matrices in ${(ms / 1000).toFixed(2)} s`;
  return (
    <Section
      title="Laws"
      aside={aside}
      action={
        isTrying && (
          <button type="button" className="text-button" onClick={() => own.module.cancel()}>
            Cancel
          </button>
        )
      }
    >
      <ul className="own-laws">
        {laws === null
          ? LAW_TITLES.map((title) => (
              <li key={title} className="own-law own-law--open">
                <span className="own-law-mark" aria-hidden="true" />
                <span>{title}</span>
              </li>
            ))
          : laws.laws.map((law) => (
              <Law
                key={law.id}
                law={law}
                {...{ name, params, onStage, isSecret }}
                found={counterexamples.find((one) => one.law === law.id) ?? null}
              />
            ))}
        {laws !== null && laws.refused.length > 0 && (
          <li className="own-law own-law--refused">
            <span className="own-law-mark">
              <Icon name="minus" />
            </span>
            <span>
              Refuses
              <span className="quiet">
                {laws.refused[0].name}: {laws.refused[0].reason}
              </span>
            </span>
            <span className="number">{laws.refused.length}</span>
          </li>
        )}
      </ul>
    </Section>
  );
}

interface LawProps extends Pick<LawListProps, 'name' | 'onStage' | 'isSecret'> {
  readonly law: LawState;
  readonly found: Counterexample | null;
  readonly params: Parameters<typeof testText>[0]['params'];
}

function Law({ law: { id, title, held, tried, broken }, found, name, params, onStage, isSecret }: LawProps) {
  const isUntried = tried === 0;
  const shape = found && `${found.matrix.rows} × ${found.matrix.cols}`;
  return (
    <li className={broken ? 'own-law own-law--broken' : 'own-law'}>
      <span className={broken ? 'own-law-mark' : isUntried ? 'own-law-mark' : 'own-law-mark good'}>
        <Icon name={broken ? 'close' : isUntried ? 'minus' : 'tick'} />
        <span className="unseen">{broken ? 'broken: ' : isUntried ? 'not tried: ' : 'holds: '}</span>
      </span>
      <span>{title}</span>
      <span className="number">{held === tried ? countText(held) : `${countText(held)} of ${countText(tried)}`}</span>
      {broken && !isSecret && (
        <div className="own-broken">
          {found && (
            <p className="quiet">
              {broken.tries > 0
                ? `smallest that breaks it, ${shape}, found in ${counted(broken.tries, 'try', 'tries')}`
                : `${broken.name}, ${shape}`}
            </p>
          )}
          {found && <CounterexamplePicture found={found} />}
          <p>{broken.why}</p>
          {found?.point && found.point.sentence !== broken.why && (
            <p>
              {found.point.sentence} Line {found.point.line} stored it.
            </p>
          )}
          {found && (
            <p className="own-links">
              <button type="button" className="text-button" onClick={() => onStage(found)}>
                show it on the stage
              </button>
              {(id === 'back' || id === 'once' || id === 'enough') && (
                <CopyButton
                  text={() => testText({ name, title, matrix: found.matrix, params })}
                  what="Test"
                  otherwise="read the matrix from the page instead"
                  also="Put it beside the module and run it with node --test."
                >
                  copy as a test
                </CopyButton>
              )}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
