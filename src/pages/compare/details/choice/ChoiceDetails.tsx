import { useMemo } from 'react';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { useTokenTimes } from '../../../../kit/report/use-decode-reports.ts';
import { candidates, chooseFormats, denseTotals, matrixOptions } from '../../../../theory/choice/format-choice.ts';
import { choiceMatrices, lookupBytes, tokenTime } from '../../../../theory/choice/model-choice.ts';
import { timedFormats } from '../../../../theory/choice/predicted-times.ts';
import type { Fusion } from '../../../../theory/models/model-shape.ts';
import { tokenRests } from '../../../../theory/models/token-speeds.ts';
import type { ComparedFormats, ModelComparison } from '../../rows/compare-row.ts';
import {
  CHOICE_FIELDS,
  ChoiceAnswer,
  ChoiceControls,
  type ChoiceSettings,
  type ShownChoice,
  timeText,
} from './ChoiceAnswer.tsx';
import { FileChoice } from './FileChoice.tsx';

/** The section 'which format for each matrix': the best format for every matrix of a model or file, by bytes or by time. */
export function ChoiceDetails({ compared }: { readonly compared: ComparedFormats }) {
  return compared.model ? <Choice compared={compared} model={compared.model} /> : <FileChoice compared={compared} />;
}

interface ChoiceProps {
  readonly compared: ComparedFormats;
  readonly model: ModelComparison;
}

function Choice({ compared, model }: ChoiceProps) {
  const [settings, choose] = useChoices(CHOICE_FIELDS);
  const shown = useFormatChoice(compared, model, settings);
  return (
    <>
      <ChoiceControls settings={settings} choose={choose} />
      <ChoiceAnswer choice={shown} settings={settings} device={compared.visibleDevice.device.name}>
        Bytes: expected ones of random weights.
      </ChoiceAnswer>
    </>
  );
}

/** The choice by these settings, beside dense f16 and i4. */
function useFormatChoice(
  { visibleDevice: { device }, density, tokens, rows, summary }: ComparedFormats,
  { shape: model, fused, prunesHead, isLayer }: ModelComparison,
  { goal, bits, budget }: ChoiceSettings,
): ShownChoice {
  const { formats } = useApp();
  const measuredHere = useTokenTimes();
  const isEven = summary.source.kind === 'pruned' && summary.source.pruning.way === 'n-of-m';
  return useMemo(() => {
    const times = tokens === 1 ? timedFormats(device.reports) : [];
    const listed = formats.filter((format) => !format.sandboxed && rows.some((row) => row.format.id === format.id));
    const formatCandidates = candidates(listed, referenceFormat, Number(bits));
    const optionsFor = (fusion: Fusion) =>
      choiceMatrices(model, {
        fusion,
        keepHead: !prunesHead,
        density,
        placement: isEven ? 'even' : 'independent',
      }).map((matrix) => matrixOptions(matrix, formatCandidates, times));
    const lookup = lookupBytes(model);
    const limit = goal === 'time' && budget > 0 ? budget * 1e9 - lookup : Infinity;
    const options = optionsFor(fused ? 'fused' : 'separate');
    const choice = chooseFormats(options, goal, limit);
    const dense = denseTotals(options, referenceFormat, times);
    const rests = isLayer ? [] : tokenRests(device.name, measuredHere);
    // Whole tokens were measured with q, k, v as one matrix, and gate and up as one.
    const asMeasured = chooseFormats(optionsFor('fused'), goal, limit);
    const wholeToken = asMeasured && tokenTime(asMeasured, model.layers, { name: device.name, times, rests });
    return {
      name: model.name,
      isOfFile: false,
      choice,
      dense,
      lookup,
      fewestBytes: (chooseFormats(options, 'bytes')?.bytes ?? 0) + lookup,
      more: wholeToken ? [['a whole token, q, k, v as one matrix', timeText(wholeToken)]] : [],
    };
  }, [
    formats,
    rows,
    device,
    tokens,
    density,
    isEven,
    model,
    fused,
    prunesHead,
    isLayer,
    goal,
    bits,
    budget,
    measuredHere,
  ]);
}
