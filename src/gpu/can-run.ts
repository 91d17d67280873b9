import type { Support, EncodedMatrix } from '../core/format.ts';
import { missingFeaturesText } from '../core/kernel/device-limits.ts';
import { type DeviceFacts, type KernelSpec, oversizedReason, unsuitedReason } from '../core/kernel/kernel.ts';
import type { Sizes } from '../core/operations/operation.ts';

/**
 * Whether a kernel can run an encoded matrix on a device, and the reason if it cannot. Checked in this order: features of
 * the device (`features`), parameters of the format (`only`), sizes of the operation (`max`), then what only the kernel
 * knows, such as limits of the device (`fits`). Compiles nothing.
 */
export function kernelSupport<E extends EncodedMatrix>(
  spec: KernelSpec<E>,
  encoded: E,
  facts: DeviceFacts,
  sizes: Sizes,
): Support {
  const missing = spec.features.filter((feature) => !facts.features.has(feature));
  if (missing.length > 0) {
    return { ok: false, reason: missingFeaturesText(missing.map((feature) => `'${feature}'`)), remedy: null };
  }
  const mismatch = unsuitedReason(spec, encoded) ?? oversizedReason(spec, sizes);
  if (mismatch !== null) return { ok: false, reason: mismatch, remedy: null };
  return spec.fits(encoded, facts, sizes);
}
