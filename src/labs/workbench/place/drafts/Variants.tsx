import { variantId } from '../../../../state/index.ts';
import { useSession } from '../../../../kit/app-context.ts';
import type { Working } from '../address.ts';

interface VariantsProps {
  /** id of a format */
  readonly format: string;
  readonly onRead: (reading: Partial<Working>) => void;
}

/** Drafts that this session lists with the kernels of a format. */
export function Variants({ format, onRead }: VariantsProps) {
  const variants = useSession((s) => s.variants);
  const of = variants.filter((variant) => variant.format === format);
  if (of.length === 0) return null;
  return (
    <section aria-label="Drafts in this session">
      <h3>drafts, in this session</h3>
      <ul>
        {of.map((variant) => (
          <li key={variantId(variant)}>
            <button type="button" onClick={() => onRead({ kernel: variant.kernel, draft: variant.draft })}>
              <span className="kernel-name">
                <code>{variant.mark.name}</code>
                <span className="aside">draft {variant.mark.version}</span>
              </span>
              <span className="quiet">of {variant.kernel}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
