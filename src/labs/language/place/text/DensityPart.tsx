import { isBrought } from '../../theory/brought.ts';
import { OwnPruning } from '../bring/OwnPruning.tsx';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import { QUALITY_TITLE } from '../quality/quality-words.ts';
import { densityOf, type LanguageSubject, defaultMethod, withDensity } from '../subject.ts';
import { usePrune } from '../use-change-subject.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { useMeasuredPruning } from '../use-measured-pruning.ts';

interface DensityPartProps {
  readonly subject: LanguageSubject;
  /** the matrices with another pruning, value type or format, which the slider does not change */
  readonly own: ModelOverrides;
  /** whether there is space for the curve */
  readonly wide: boolean;
}

/** The slider for the share of weights left, on the curve of the model's quality at each share. */
export function DensityPart({ subject, own, wide }: DensityPartProps) {
  const { model, pruning } = subject;
  const isBroughtModel = isBrought(model.id);
  const prune = usePrune(subject);
  const { quality, points, random } = useMeasuredPruning(subject);
  return (
    <div className="text-curve">
      <h3 className="side-head">
        Weights left{' '}
        <span className="section-caption">
          {own.words !== null
            ? 'in all other matrices'
            : wide && points.length > 0
              ? `${QUALITY_TITLE.toLowerCase()} (bits per byte)`
              : ''}
        </span>
      </h3>
      <DensityCurve
        isBare={isBroughtModel || !wide}
        points={points}
        random={pruning?.way === 'random' ? [] : random}
        floor={quality?.floor.exact ?? 0}
        density={densityOf(pruning)}
        onChange={(left) => prune(withDensity(pruning, left, defaultMethod(model)))}
      />
      {isBroughtModel && <OwnPruning subject={subject} />}
    </div>
  );
}
