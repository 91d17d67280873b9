import type { Stored } from '../../state/index.ts';
import { storedA } from '../../state/document.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { paramLabels } from '../../kit/report/param-words.ts';

/** A: what the matrix is stored in. */
export function ALabel() {
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => storedA(doc).params);
  return <FormatLabel stored={{ format, params }} />;
}

/** B: what A is compared with. */
export function BLabel() {
  const against = useDocument((doc) => doc.against);
  return against === null ? <b>nothing</b> : <FormatLabel stored={against} />;
}

function FormatLabel({ stored: { format, params } }: { readonly stored: Stored }) {
  const { formats } = useApp();
  const known = formats.find(({ id }) => id === format);
  return (
    <>
      <Swatch format={format} /> <b>{known?.title ?? format}</b>{' '}
      <span className="word-quiet">{paramLabels(known, params)}</span>
    </>
  );
}
