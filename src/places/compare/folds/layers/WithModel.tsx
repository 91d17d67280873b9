import { type ReactNode, useMemo } from 'react';
import { useStoredA } from '../../curves/use-stored-a.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp } from '../../../../kit/app-context.ts';

import type { ModelQuery } from '../../chart/model-lines.ts';
import { useLeft } from '../../curves/pruning-shares.ts';
import { useModelQuery } from '../../chart/model-asked.ts';
import { useModelSpeeds } from '../../chart/use-model-speeds.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import type { ShownModel } from '../../model/shown-model.ts';

interface WithModelProps {
  readonly compared: ComparedFormats;
  readonly children: (model: ShownModel) => ReactNode;
}

/** The model of the sentence, stored as A; a sentence if there is no model, or if its size is unknown. */
export function WithModel({ compared, children }: WithModelProps) {
  const asked = useModelQuery(compared);
  if (asked === null) return <p className="field-hint">Choose a whole model.</p>;
  return (
    <OfModel compared={compared} asked={asked}>
      {children}
    </OfModel>
  );
}

function OfModel({ compared, asked, children }: WithModelProps & { readonly asked: ModelQuery }) {
  const { formats } = useApp();
  const stored = useStoredA();
  const { at } = useLeft();
  const { device } = compared.shown;
  const { a } = useModelSpeeds(asked, device);
  const view = useMemo(() => (at === null ? null : a.viewAt(Math.min(1, Math.max(0.01, at)))), [a, at]);
  const format = formats.find(({ id }) => id === stored.format) ?? referenceFormat;
  if (view === null) {
    return <p className="field-hint">{format.title}: its size depends on the matrix.</p>;
  }
  return children({
    view,
    format,
    params: stored.params,
    shownParams: stored.params,
    title: a.title,
    curve: a.measured,
    device: view.lines.some(({ measured }) => measured !== null) ? device.name : null,
  });
}
