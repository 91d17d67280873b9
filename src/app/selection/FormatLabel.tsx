import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type FormatChoice, choiceA } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { useMedia } from '../../kit/browser/use-media.ts';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { paramsText } from '../../kit/words/params-text.ts';

/** The format under the pointer in the list of formats: the selection bar shows it as A or B. */
export const previewedFormat = createStore<{ readonly side: 'a' | 'b'; readonly stored: FormatChoice } | null>(
  () => null,
);

/** A in the selection bar: the format in which the matrix is stored. */
export function FormatALabel() {
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => choiceA(doc).params);
  return <FormatLabel side="a" choice={{ format, params }} />;
}

/** B in the selection bar: the format that A is compared with. */
export function FormatBLabel() {
  const choiceB = useDocument((doc) => doc.formatB);
  return <FormatLabel side="b" choice={choiceB} />;
}

function FormatLabel({ side, choice }: { readonly side: 'a' | 'b'; readonly choice: FormatChoice | null }) {
  const { formats } = useApp();
  const previewedChoice = useStore(previewedFormat, (preview) => (preview?.side === side ? preview.stored : null));
  const rows = useSession((s) => s.summary?.rows);
  const cols = useSession((s) => s.summary?.cols);
  const isPhone = useMedia('(width < 560px)');
  const visibleChoice = previewedChoice ?? choice;
  const format = visibleChoice && formats.find(({ id }) => id === visibleChoice.format);
  if (!visibleChoice || !format) return <b className="font-medium">compare with another</b>;
  const shape = rows === undefined || cols === undefined ? null : { rows, cols };
  return (
    <>
      <span className="word-name whitespace-nowrap [&_.swatch]:me-1">
        <Swatch format={format.id} /> <b className="font-medium">{format.title}</b>
      </span>
      <span className="word-quiet text-muted"> {paramsText(format, visibleChoice.params, shape, isPhone)}</span>
    </>
  );
}
