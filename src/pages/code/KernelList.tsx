import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { countText } from '../../core/text/words.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import type { KernelCard } from '../../core/kernel/kernel.ts';
import { fileOf } from '../../core/kernel/shader.ts';
import type { BenchReport } from '../../core/report.ts';
import { OPERATIONS } from '../../core/operations/index.ts';
import type { CodeFields } from './address.ts';
import type { KernelFile } from '../../engine/kernel-reading/kernel-reading-types.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import { formulaOf } from '../../kit/report/operation-words.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import type { ListedKernel } from './kernel-list.ts';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { Field } from '../../kit/controls/Field.tsx';
import { TextButton } from '../../kit/controls/Button.tsx';

/** Maximum number of lines in the list of search results. */
const MAX_FOUND = 100;

/** Number of a format's kernels in the list until the user expands the format. */
const FIRST_LISTED = 3;

export interface KernelListProps {
  /** the WGSL files that the search covers */
  readonly files: readonly KernelFile[];
  /** the kernel that is open; null if none */
  readonly listed: ListedKernel | null;
  /** opens a kernel, or a line of one of its files */
  readonly onRead: (requested: Partial<CodeFields>) => void;
  /** further kernels, listed after those of a format */
  readonly more?: ((format: AnyListedFormat) => readonly KernelCard[]) | undefined;
  /** shown below the kernels of a format, by its id */
  readonly below?: ((format: string) => ReactNode) | undefined;
  /** shown between the search field and the kernels */
  readonly children?: ReactNode;
}

/** The list of kernels by format and operation, and a search in the lines of all kernels. */
export function KernelList({ files, listed, onRead, more, below, children }: KernelListProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const found = useMemo(() => searchFiles(files, query, MAX_FOUND), [files, query]);
  return (
    <>
      <Field label={<span className="unseen">Find a kernel or a line</span>}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="search"
            placeholder="Find a kernel or a line"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {query.trim() === '' ? (
        <>
          {children}
          <KernelTree {...{ listed, onRead, more, below }} />
        </>
      ) : (
        <section aria-label="Lines found">
          <p className="text-muted" role="status">
            {found.total === 0
              ? `No line contains “${query.trim()}”.`
              : `${countText(found.total)} ${found.total === 1 ? 'line' : 'lines'}${found.total > MAX_FOUND ? `, the first ${MAX_FOUND} listed` : ''}`}
          </p>
          <ul className="kernel-found [&_button]:ps-4">
            {found.shownLines.map(({ path, line, text: lineText, kernels }) => (
              <li key={`${path} ${line}`}>
                <button
                  className="list-row block"
                  type="button"
                  onClick={() => onRead({ kernel: kernelToOpen(kernels, listed?.kernel.id), file: path, line })}
                >
                  <span className="text-muted block">
                    {path}:{line}
                  </span>
                  <code className="block">{lineText}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The kernel in which a found file is opened: the current one, if it contains the file. */
function kernelToOpen(kernels: readonly string[], current: string | undefined): string {
  return current !== undefined && kernels.includes(current) ? current : (kernels[0] ?? '');
}

function KernelTree({ listed, onRead, more, below }: Omit<KernelListProps, 'files' | 'children'>) {
  const { formats } = useApp();
  const runs = useSession((s) => s.bench.runs);
  const device = useSession((s) => s.device);
  const verified = useMemo(
    () => verifiedKernels(runs.flatMap((run) => (run.origin === 'measured' ? run.reports : []))),
    [runs],
  );
  const supported = device?.kind === 'ready' ? device.environment.features : null;
  /** the format whose kernels are all listed */
  const [expanded, setExpanded] = useState<string | null>(null);
  const withKernels = formats.filter(({ kernels }) => kernels.length > 0);
  const isCurrent = ({ id }: AnyListedFormat): boolean => id === listed?.format.id;
  const treeOf = (treeFormats: readonly AnyListedFormat[]): ReactNode =>
    treeFormats.map((format) => {
      const kernels = [...format.kernels, ...(more?.(format) ?? [])];
      const visibleKernels = kernels.filter(
        ({ id }, i) => i < FIRST_LISTED || expanded === format.id || id === listed?.kernel.id,
      );
      return (
        <details className="group" key={format.id} open={format.id === listed?.format.id}>
          <summary className="group-open:font-semibold flex items-center gap-2 cursor-pointer min-h-8">
            <Swatch format={format.id} />
            {format.title}
            <span className="aside number ms-auto">{format.kernels.length}</span>
          </summary>
          {OPERATIONS.map(({ id: operation }) => {
            const operationKernels = visibleKernels.filter((kernel) => kernel.operation === operation);
            if (operationKernels.length === 0) return null;
            return (
              <section key={operation} aria-label={formulaOf(operation)}>
                <h2 className="mt-2 mb-1 ml-4 text-muted text-12 font-normal">{formulaOf(operation)}</h2>
                <ul>
                  {operationKernels.map(({ id: kernel, title, features }) => {
                    const lacks = supported !== null && features.some((feature) => !supported.includes(feature));
                    return (
                      <li key={kernel}>
                        <button
                          className="list-row block"
                          type="button"
                          aria-current={kernel === listed?.kernel.id ? 'true' : undefined}
                          title={title}
                          onClick={() => onRead({ kernel })}
                        >
                          <span className="kernel-name flex flex-wrap gap-x-2 items-baseline leading-[1.3]">
                            <code className="whitespace-nowrap">{kernel.split('/')[1]}</code>
                            {verified.has(kernel) && (
                              <span className="text-good" title="verified on this device">
                                <Icon name="tick" />
                                <span className="unseen">, verified on this device</span>
                              </span>
                            )}
                          </span>
                          {(lacks || kernel === listed?.kernel.id) && (
                            <span className="text-muted block">{lacks ? 'not for this device' : title}</span>
                          )}
                        </button>
                      </li>
                    );
                  })}
                </ul>
              </section>
            );
          })}
          {visibleKernels.length < kernels.length && (
            <TextButton className="mx-4 mt-1 mb-2 text-12" onClick={() => setExpanded(format.id)}>
              {countText(kernels.length - visibleKernels.length)} more
            </TextButton>
          )}
          {below?.(format.id)}
        </details>
      );
    });
  return (
    <nav className="kernel-tree mt-4 [&_li_button]:ps-4" aria-label="Kernels by format">
      {treeOf(withKernels.filter(isCurrent))}
      {listed === null ? (
        treeOf(withKernels)
      ) : (
        <details>
          <summary className="flex items-center cursor-pointer min-h-8 text-muted">
            other formats <span className="aside number ms-auto">{withKernels.length - 1}</span>
          </summary>
          {treeOf(withKernels.filter((format) => !isCurrent(format)))}
        </details>
      )}
    </nav>
  );
}

/** Ids of the kernels whose results on a GPU were correct in any of these reports. */
export function verifiedKernels(reports: readonly BenchReport[]): ReadonlySet<string> {
  return new Set(
    reports.flatMap(({ rows }) =>
      rows.flatMap(({ kernel, where, verified }) => (where === 'gpu' && verified.ok ? [kernel] : [])),
    ),
  );
}

/** A line that a search finds, and the ids of the kernels with its file. */
interface MatchingLine {
  readonly path: string;
  /** from 1 */
  readonly line: number;
  readonly text: string;
  readonly kernels: readonly string[];
}

/** The first lines that a search finds, and the number of all. */
interface SearchResult {
  readonly shownLines: readonly MatchingLine[];
  readonly total: number;
}

/** Finds lines that contain the text, and the first line of each file whose name contains it, ignoring case. O(characters). */
export function searchFiles(files: readonly KernelFile[], text: string, max: number): SearchResult {
  const query = text.trim().toLowerCase();
  if (query === '') return { shownLines: [], total: 0 };
  const shownLines: MatchingLine[] = [];
  const seen = new Set<string>();
  let total = 0;
  for (const { path, code, kernels, lines } of files) {
    const inName = path.toLowerCase().includes(query);
    for (const [i, line] of code.split('\n').entries()) {
      if (!(inName && i === 0) && !line.toLowerCase().includes(query)) continue;
      // Variants of a file share lines, which are listed once.
      const position = `${fileOf(path)}:${lines?.[i] ?? i + 1}`;
      if (seen.has(position)) continue;
      seen.add(position);
      total++;
      if (shownLines.length < max) shownLines.push({ path, line: i + 1, text: line.trim(), kernels });
    }
  }
  return { shownLines, total };
}
