import './kernels.css';
import { useEffect, useMemo, useState } from 'react';
import { type Reading, withReading } from '../../state/index.ts';
import type { KernelFile } from '../../worker/protocol.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { SideColumns } from '../parts/SideColumns.tsx';
import { Boundary } from '../shell/Boundary.tsx';
import { KernelCode } from './KernelCode.tsx';
import { KernelFacts } from './KernelFacts.tsx';
import { kernelToRead } from './kernel-list.ts';
import { KernelList } from './KernelList.tsx';
import { useReading } from './use-reading.ts';

const NO_FILES: readonly KernelFile[] = [];

/** All kernels, to be read whole: by format and operation, with what each binds, and what its constants are here. */
export function KernelsPage({ wide }: { readonly wide: boolean }) {
  const { document, formats, session } = useApp();
  const asked = useDocument((doc) => doc.reading);
  const onStage = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params);
  const rows = useSession((s) => s.summary?.generation);
  const [files, setFiles] = useState(NO_FILES);
  useEffect(() => {
    let gone = false;
    session.kernelFiles().then(
      (found) => {
        if (!gone) setFiles(found);
      },
      // The engine says by itself when it is gone; without the files there is nothing to search.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [session, rows]);

  const listed = useMemo(() => kernelToRead(formats, asked, files, onStage), [formats, asked, files, onStage]);
  const reading = useReading(listed?.kernel.id ?? null, listed ? params[listed.format.id] : undefined);
  const read = (next: Partial<Reading>): void => document.setState(withReading(document.getState(), next));

  const list = (
    <Boundary name="The list of kernels">
      <KernelList files={files} listed={listed} onRead={read} />
    </Boundary>
  );
  const code = (
    <Boundary name="The kernel" follows={listed?.kernel.id ?? ''}>
      <KernelCode listed={listed} reading={reading} asked={asked} onRead={read} />
    </Boundary>
  );
  const facts = (
    <Boundary name="What the kernel binds" follows={listed?.kernel.id ?? ''}>
      <KernelFacts listed={listed} reading={reading} asked={asked} files={files} onRead={read} />
    </Boundary>
  );
  if (!wide) {
    return (
      <main className="narrow-page kernels-narrow" id="content" tabIndex={-1}>
        {code}
        {facts}
        {list}
      </main>
    );
  }
  return (
    <SideColumns
      leastCentre={420}
      left={{
        label: 'Width of the list',
        least: 220,
        most: 480,
        content: (
          <aside className="panel panel--side" aria-label="All kernels">
            {list}
          </aside>
        ),
      }}
      right={{
        label: 'Width of the facts',
        least: 240,
        most: 480,
        content: (
          <aside className="panel panel--side" aria-label="About this kernel">
            {facts}
          </aside>
        ),
      }}
    >
      <div className="panel kernel-panel" id="content" tabIndex={-1}>
        {code}
      </div>
    </SideColumns>
  );
}
