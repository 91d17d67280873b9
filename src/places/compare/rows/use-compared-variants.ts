import { useMemo } from 'react';
import { defaultParams, type Shape } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { type FormatParams, type FormatChoice, storedA } from '../../../state/index.ts';
import { bitsOf, type StoredVariant, storedVariantOf, variantsToStore } from './stored-variants.ts';

/** What the rows of Compare store, with A, B and dense: the same object while formats, parameters and shape are the same. */
export function useComparedVariants({ rows, cols }: Shape) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const format = useDocument((doc) => doc.format);
  const own = useDocument((doc) => storedA(doc).params);
  const against = useDocument((doc) => doc.against);
  return useMemo(() => {
    const shape = { rows, cols };
    const variantOf = ({ format: id, params: its }: FormatChoice): StoredVariant =>
      storedVariantOf(formats.find((known) => known.id === id) ?? formats[0], its, shape);
    const variants = variantsToStore(formats, params, [{ format, params: own }, against], shape);
    const [smallest] = variants
      .filter((variant) => variant.format.id === referenceFormat.id)
      .toSorted((one, two) => bitsOf(one.stored.params) - bitsOf(two.stored.params));
    return {
      variants,
      a: variantOf({ format, params: own }),
      b: against && variantOf(against),
      /** dense f16, the reference of sizes */
      reference: storedVariantOf(referenceFormat, defaultParams<FormatParams>(referenceFormat.params), shape),
      /** dense in the fewest bits */
      smallest,
    };
  }, [formats, params, format, own, against, rows, cols]);
}
