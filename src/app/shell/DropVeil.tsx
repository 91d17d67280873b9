/** The kinds of files that can be opened, in words. */
export const OPENABLE_KINDS = [
  'safetensors, also sharded or compressed',
  'NumPy and SciPy: .npy, .npz',
  'Matrix Market: .mtx, .tar.gz',
  'GGUF: F32, F16 and BF16 tensors',
  'PyTorch: .pt, .pth, .bin',
  'patterns and tables: .smtx, .csv, .tsv, .txt',
  'also in gzip or zip',
] as const;

/** Covers the page while files are dragged over it, and lists the kinds of files that can be dropped to open them. */
export function DropVeil() {
  return (
    <div className="fixed inset-3 z-20 grid place-content-center gap-3 p-6 border-2 border-dashed border-accent rounded-[12px] bg-ground/94 text-center pointer-events-none">
      <h2 className="text-24 font-medium">Drop a matrix to open it</h2>
      <ul>
        {OPENABLE_KINDS.map((kind) => (
          <li className="text-muted text-15" key={kind}>
            {kind}
          </li>
        ))}
      </ul>
      <p className="text-quiet">It stays on this computer.</p>
    </div>
  );
}
