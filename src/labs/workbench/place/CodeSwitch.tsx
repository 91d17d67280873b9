import { ownPath, type WorkbenchFields } from './address.ts';

interface CodeSwitchProps {
  readonly shown: 'kernels' | 'formats';
  readonly onRead: (reading: Partial<WorkbenchFields>) => void;
}

/** Switches Code between kernels and a person's own formats. */
export function CodeSwitch({ shown, onRead }: CodeSwitchProps) {
  const side = (name: CodeSwitchProps['shown'], kernel: string) => (
    <button
      type="button"
      className="min-h-6.5 px-3 rounded-[4px] text-muted cursor-pointer aria-[current]:bg-ground aria-[current]:text-ink aria-[current]:font-medium aria-[current]:cursor-default"
      aria-current={shown === name ? 'page' : undefined}
      onClick={() => {
        if (shown !== name) onRead({ kernel });
      }}
    >
      {name}
    </button>
  );
  return (
    <nav className="code-switch inline-flex gap-0.5 p-0.5 bg-sunken rounded-md mb-3" aria-label="Code of">
      {side('kernels', '')}
      {side('formats', ownPath())}
    </nav>
  );
}
