import { useMemo } from 'react';
import { defaultParams, type Shape } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { choiceA, type FormatChoice, type FormatParams } from '../../../state/index.ts';
import { bitsOf, type StoredVariant, storedVariantOf, comparedVariants } from './stored-variants.ts';

/**
 * Returns all compared formats, the selected formats A and B, and dense, each with its parameters; `b` is null if no
 * second format is selected. Returns the same object until a choice changes.
 */
export function useComparedVariants({ rows, cols }: Shape) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const formatA = useDocument((doc) => doc.format);
  const paramsA = useDocument((doc) => choiceA(doc).params);
  const choiceB = useDocument((doc) => doc.formatB);
  return useMemo(() => {
    const shape = { rows, cols };
    const variantOf = (choice: FormatChoice): StoredVariant =>
      storedVariantOf(formats.find(({ id }) => id === choice.format) ?? formats[0], choice.params, shape);
    const variants = comparedVariants(formats, params, [{ format: formatA, params: paramsA }, choiceB], shape);
    const [smallest] = variants
      .filter((variant) => variant.format.id === referenceFormat.id)
      .toSorted((one, two) => bitsOf(one.stored.params) - bitsOf(two.stored.params));
    return {
      variants,
      a: variantOf({ format: formatA, params: paramsA }),
      b: choiceB && variantOf(choiceB),
      /** dense f16, the reference of sizes */
      reference: storedVariantOf(referenceFormat, defaultParams<FormatParams>(referenceFormat.params), shape),
      /** dense in the fewest bits */
      smallest,
    };
  }, [formats, params, formatA, paramsA, choiceB, rows, cols]);
}
