import { useState } from 'react';
import { useStore } from 'zustand';
import { useCurrentFormat, useDocument, useSession } from '../../../kit/app-context.ts';
import { blockMatrices } from '../../../language/decoder.ts';
import { blockWeights } from '../../../language/stored/recipe.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { OwnWay } from '../bring/OwnWay.tsx';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import type { StoredBytes } from '../strip/use-stored-bytes.ts';
import { densityOf, type LanguageSubject, usualWay, withDensity } from '../subject.ts';
import { measuredNow, useMeasured } from '../use-measured.ts';
import type { Own } from '../use-own.ts';
import { usePrune } from '../use-pruning.ts';
import { isByWanda } from '../../../kit/models/matrix-overrides.ts';
import { Calibration } from './Calibration.tsx';
import { LikelyPanel } from './LikelyPanel.tsx';
import { MixedNote } from './MixedNote.tsx';
import { SideTable } from './SideTable.tsx';
import { lostBits, multipliedText, NO_TEXT, wordsBefore } from './text.ts';
import { asSentence } from '../../../state/index.ts';
import { drawnTokens } from './wrap.ts';
import { useWriting } from './use-writing.ts';

const NOT_WRITTEN = { text: NO_TEXT, before: [], isRecorded: false } as const;

interface SideProps {
  readonly subject: LanguageSubject;
  readonly stored: StoredBytes;
  readonly own: Own;
  readonly calibration: string;
  readonly onCalibration: (text: string) => void;
  /** token of the dense text; -1 for none */
  readonly shown: number;
}

/** The slider on its curve, figures of both models, and the likeliest words at a token. */
export function Side({ subject, stored, own, calibration, onCalibration, shown }: SideProps) {
  const { model, pruning } = subject;
  const { request, ...state } = useStore(useWriting().store);
  const isOwnModel = isBrought(model.id);
  const { text, before, isRecorded } = isOwnModel && request?.model.id !== model.id ? NOT_WRITTEN : state;
  const prune = usePrune(subject);
  const [moved, setMoved] = useState<number | null>(null);
  const { id: format, title } = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format ?? REFERENCE_FORMAT);
  const device = useSession((s) => s.device);
  const isPrunedBySentence = useDocument(({ source }) => source.kind === 'pruned');
  const density = densityOf(pruning);
  const matrices = model.shape.layers * blockMatrices(model.shape).length;
  const measured = useMeasured(subject);
  const { quality, points, random, at: measuredAt } = measured;
  const dense = measuredAt(1);
  const pruned = measuredNow(measured, subject, own, calibration);
  const note = multipliedText(text.written?.multiplied ?? null, own.words === null ? title : 'their formats', matrices);
  const token = text.held[shown] ?? before[shown] ?? null;
  return (
    <aside className="text-side" aria-label="What is left, and what it costs">
      <div className="text-curve">
        <h3 className="side-head">
          Density{' '}
          <span className="section-caption">
            {own.words !== null
              ? 'of all matrices without choices of their own'
              : points.length > 0
                ? 'bits per byte above the floor'
                : 'share of the weights that is left'}
          </span>
        </h3>
        <DensityCurve
          isBare={isOwnModel}
          points={points}
          random={pruning?.way === 'random' ? [] : random}
          floor={quality?.floor.exact ?? 0}
          density={density}
          onMove={setMoved}
          onChange={(left) => prune(withDensity(pruning, left, usualWay(model)))}
        />
        {isOwnModel && <OwnWay subject={subject} />}
      </div>
      <SideTable
        {...{ quality, dense, format }}
        text={isOwnModel ? text.written : null}
        areTales={!isOwnModel}
        own={own.words}
        pruned={moved === null || own.words !== null ? pruned : measuredAt(moved)}
        density={moved ?? density}
        matrices={matrices}
        denseBytes={2 * blockWeights(model.shape)}
        bytes={stored.total}
        rates={text.written?.rates ?? null}
        where={isRecorded || text.written === null ? null : text.written.where === 'cpu' ? 'on the CPU' : ''}
      />
      {own.words !== null && <MixedNote own={own} matrices={matrices} isMeasured={pruned !== null} />}
      {note !== null && <p className="text-note">{note}</p>}
      {device?.kind === 'unavailable' && (isRecorded || text.written === null) && (
        <p className="text-note">New texts are written on the CPU: {asSentence(device.reason)}</p>
      )}
      {text.written?.notOnGpu && <p className="text-note">Written on the CPU: {asSentence(text.written.notOnGpu)}</p>}
      {isByWanda(pruning, own.choices) && <Calibration text={calibration} onChange={onCalibration} />}
      {token && shown >= 0 && (
        <LikelyPanel
          behind={wordsBefore(drawnTokens([...text.prompt, ...text.dense.slice(0, shown)]))}
          token={token}
          lost={lostBits(text.held)}
          formats={[against, format]}
        />
      )}
      {isOwnModel && (
        <p className="text-note">
          The sentence is about something else: of it, only A and B count here, as the formats of {model.shape.name}.
        </p>
      )}
      {!subject.isOfSentence && !isOwnModel && (
        <p className="text-note">
          The sentence is about something else: {model.shape.name} writes here, pruned{' '}
          {isPrunedBySentence ? 'as it says' : 'to 60 % by Wanda'}. The slider puts it into the sentence.
        </p>
      )}
    </aside>
  );
}
