import { largest, smallest } from '../../../core/number/statistics.ts';
import { isScratch } from '../../../core/scratch/card.ts';
import { type Draft, type DraftText, numberOf, originOf, sameText } from '../kernel-drafts/draft.ts';
import { resultWords, speedOf } from '../kernel-drafts/result.ts';
import { Section } from '../../../kit/controls/Section.tsx';

interface VersionListProps {
  readonly draft: Draft;
  /** null for the original */
  readonly onRestore: (version: number | null) => void;
}

/** Every version with its result, newest first, down to the original; each can be restored. */
export function VersionList({ draft, onRestore }: VersionListProps) {
  const current = numberOf(draft);
  const origin = originOf(draft);
  // A draft from scratch began with code that computes nothing.
  const own = isScratch(draft.kernel);
  const speeds = draft.versions.flatMap(({ result }) => speedOf(result) ?? []);
  const low = Math.min(0.9, smallest(speeds));
  const high = Math.max(1.1, largest(speeds));
  const place = (speed: number): string => `${(100 * (speed - low)) / (high - low)}%`;
  const isNew = !draft.versions.some(({ number }) => number === current);
  return (
    <Section title="Versions" aside={own ? 'against another kernel' : 'against the original'}>
      <ol className="draft-versions">
        {isNew && !sameText(draft, origin) && (
          <li aria-current="true">
            <span className="number">{current}</span>
            <span>{draft.from === 'here' ? 'being written' : 'as it came'}</span>
            <span className="draft-outcome quiet">not run</span>
          </li>
        )}
        {draft.versions.toReversed().map((version) => {
          const words = resultWords(version.result);
          const before = draft.versions.find(({ number }) => number === version.number - 1) ?? origin;
          const speed = speedOf(version.result);
          return (
            <li key={version.number} aria-current={version.number === current ? 'true' : undefined}>
              <span className="number">{version.number}</span>
              <span className="draft-what" title={whatChanged(version, before)}>
                {whatChanged(version, before)}
              </span>
              <span className="draft-outcome">
                {speed !== null && (
                  <span className="draft-speed" aria-hidden="true">
                    <i style={{ left: place(1) }} />
                    <b style={{ left: place(speed) }} />
                  </span>
                )}
                <span className={words.bad ? 'draft-bad' : 'number'}>{words.text}</span>
              </span>
              {version.number !== current && (
                <button type="button" className="text-button" onClick={() => onRestore(version.number)}>
                  back<span className="unseen"> to version {version.number}</span>
                </button>
              )}
            </li>
          );
        })}
        <li aria-current={sameText(draft, origin) ? 'true' : undefined}>
          <span className="number" />
          <span className="draft-what">{own ? 'as it began' : 'original'}</span>
          <span className="draft-outcome number">{speeds.length > 0 && !own && '1.00×'}</span>
          {!sameText(draft, origin) && (
            <button type="button" className="text-button" onClick={() => onRestore(null)}>
              back<span className="unseen"> to {own ? 'the beginning' : 'the original'}</span>
            </button>
          )}
        </li>
      </ol>
    </Section>
  );
}

/** A version's changes since the one before: constants with their value, and files. */
function whatChanged(version: DraftText, before: DraftText): string {
  const constants = changedNames(version.overrides, before.overrides).map((name) =>
    Object.hasOwn(version.overrides, name) ? `${name} ${version.overrides[name]}` : `${name} as it was`,
  );
  const files = changedNames(version.files, before.files).map((path) =>
    path.slice(path.indexOf('/') + 1).replace('.wgsl', ''),
  );
  return [...constants, ...files].join(', ') || 'unchanged';
}

function changedNames(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
