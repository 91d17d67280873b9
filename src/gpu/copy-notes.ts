import type { PreparedKernel } from './prepared-kernel.ts';

/** Notes for readers on the copies that these kernels rotate. */
export function copyNotes(kernels: readonly PreparedKernel[], coldBytes: number): readonly string[] {
  const notes: string[] = [];
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toPrecision(3)} MiB`;
  const resident = kernels.filter((kernel) => kernel.rotatedBytes === 0 && kernel.bytes < coldBytes);
  if (resident.length > 0) {
    const ids = resident.map((kernel) => `${kernel.id} ${mebibytes(kernel.bytes)}`).join(', ');
    notes.push(`only inputs are read, so they may come from a cache: ${ids}`);
  }
  const few = kernels
    .filter((kernel) => kernel.rotatedBytes > 0 && kernel.rotatedBytes < coldBytes)
    .map((kernel) => `${kernel.id} ${mebibytes(kernel.rotatedBytes)}`);
  if (few.length === 0) return notes;
  notes.push(
    `a cold run rotates ${mebibytes(coldBytes)}, but a matrix this small would need too many copies and may have been read from a cache: ${few.join(', ')}`,
  );
  return notes;
}
