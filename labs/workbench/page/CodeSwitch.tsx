import { userFormatPath, type WorkbenchFields } from './address.ts';

interface CodeSwitchProps {
  readonly current: 'kernels' | 'formats';
  /** changes what the address names */
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** Switches the page Code between kernels and the user's formats. */
export function CodeSwitch({ current, onShow }: CodeSwitchProps) {
  // The address has one field for both: it names a kernel, or the formats.
  const button = (name: CodeSwitchProps['current'], kernel: string) => (
    <button
      type="button"
      className="min-h-6.5 px-3 rounded-[4px] text-muted cursor-pointer aria-[current]:bg-ground aria-[current]:text-ink aria-[current]:font-medium aria-[current]:cursor-default"
      aria-current={current === name ? 'page' : undefined}
      onClick={() => {
        if (current !== name) onShow({ kernel });
      }}
    >
      {name}
    </button>
  );
  return (
    <nav className="code-switch inline-flex gap-0.5 p-0.5 bg-sunken rounded-md mb-3" aria-label="Code of">
      {button('kernels', '')}
      {button('formats', userFormatPath())}
    </nav>
  );
}
