import { useState } from 'react';
import { useStore } from 'zustand';
import { useCurrentFormat, useDocument } from '../../../kit/app-context.ts';
import { BLOCK_MATRICES } from '../../../language/decoder.ts';
import { blockWeights } from '../../../language/stored/recipe.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import type { StoredBytes } from '../strip/use-stored-bytes.ts';
import { densityOf, type LanguageSubject, withDensity } from '../subject.ts';
import { useMeasured } from '../use-measured.ts';
import { usePrune } from '../use-pruning.ts';
import { LikelyPanel } from './LikelyPanel.tsx';
import { SideTable } from './SideTable.tsx';
import { lostBits, multipliedText, wordsBefore } from './text.ts';
import { useWriting } from './use-writing.ts';

interface SideProps {
  readonly subject: LanguageSubject;
  readonly stored: StoredBytes;
  /** token of the dense text; -1 for none */
  readonly shown: number;
}

/** The slider on its curve, figures of both models, and the likeliest words at a token. */
export function Side({ subject, stored, shown }: SideProps) {
  const { model, pruning } = subject;
  const { text, before, isRecorded } = useStore(useWriting().store);
  const prune = usePrune(subject);
  const [moved, setMoved] = useState<number | null>(null);
  const { id: format, title } = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format ?? REFERENCE_FORMAT);
  const isPrunedBySentence = useDocument(({ source }) => source.kind === 'pruned');
  const density = densityOf(pruning);
  const { quality, points, random, at: measuredAt } = useMeasured(subject);
  const dense = measuredAt(1);
  const pruned = measuredAt(density);
  const note = multipliedText(text.written?.multiplied ?? null, title, model.shape.layers * BLOCK_MATRICES.length);
  const token = text.held[shown] ?? before[shown] ?? null;
  return (
    <aside className="text-side" aria-label="What is left, and what it costs">
      <div className="text-curve">
        <h3 className="side-head">
          Density{' '}
          <span className="section-caption">
            {points.length > 0 ? 'bits per byte above the floor' : 'share of the weights that is left'}
          </span>
        </h3>
        <DensityCurve
          points={points}
          random={pruning?.way === 'random' ? [] : random}
          floor={quality?.floor.exact ?? 0}
          density={density}
          onMove={setMoved}
          onChange={(left) => prune(withDensity(pruning, left))}
        />
      </div>
      <SideTable
        {...{ quality, dense, format }}
        pruned={moved === null ? pruned : measuredAt(moved)}
        density={moved ?? density}
        matrices={model.shape.layers * BLOCK_MATRICES.length}
        denseBytes={2 * blockWeights(model.shape)}
        bytes={stored.total}
        rates={text.written?.rates ?? null}
        where={isRecorded || text.written === null ? null : text.written.where === 'cpu' ? 'on the CPU' : ''}
      />
      {note !== null && <p className="text-note">{note}</p>}
      {token && shown >= 0 && (
        <LikelyPanel
          behind={wordsBefore([...text.prompt, ...text.dense.slice(0, shown)])}
          token={token}
          lost={lostBits(text.held)}
          formats={[against, format]}
        />
      )}
      {!subject.isOfSentence && (
        <p className="text-note">
          The sentence is about something else: {model.shape.name} writes here, pruned{' '}
          {isPrunedBySentence ? 'as it says' : 'to 60 % by Wanda'}. The slider puts it into the sentence.
        </p>
      )}
    </aside>
  );
}
