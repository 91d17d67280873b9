import '../../kit/styles/greek.css';
import './code.css';
import { pageState, withPage } from '../../state/index.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { type CodeFields, CODE_FIELDS } from './address.ts';
import { KernelCode } from './KernelCode.tsx';
import { KernelDetails } from './KernelDetails.tsx';
import { missingText } from './kernel-list.ts';
import { KernelList } from './KernelList.tsx';
import { KernelsFrame } from './KernelsFrame.tsx';
import { useKernelFiles, useFormatOfKernel, useVisibleKernel } from './use-reading.ts';

/** The page Code: all kernels, and the source of the chosen kernel as the GPU gets it, its buffers and constants. */
export function CodePage({ isWide }: { readonly isWide: boolean }) {
  const { document, formats } = useApp();
  const fields = useDocument((doc) => pageState(doc, CODE_FIELDS));
  const formatOfA = useDocument((doc) => doc.format);
  const files = useKernelFiles();
  // No draft and no exercise: only the optional workbench (labs), which replaces this page, has them.
  const { named, listed, reading } = useVisibleKernel({ ...fields, files, draft: null, isFree: true, isKnown: true });
  const read = (next: Partial<CodeFields>): void => document.setState(withPage(document.getState(), CODE_FIELDS, next)); // the address names the kernel
  useFormatOfKernel(listed, formatOfA, () => read({ kernel: '' }));
  const missingMessage = named && missingText(formats, fields, files, named);
  return (
    <KernelsFrame
      isWide={isWide}
      list={
        <Boundary name="The list of kernels">
          <KernelList files={files} listed={listed} onRead={read} />
        </Boundary>
      }
      code={
        <Boundary name="The kernel" resetKey={listed?.kernel.id ?? ''}>
          {missingMessage !== null && (
            <p className="kernel-head" role="alert">
              {missingMessage}
            </p>
          )}
          <KernelCode {...{ listed, reading, fields }} onRead={read} />
        </Boundary>
      }
      details={
        <Boundary name="The details" resetKey={listed?.kernel.id ?? ''}>
          <KernelDetails listed={listed} reading={reading} onRead={read} />
        </Boundary>
      }
    />
  );
}
