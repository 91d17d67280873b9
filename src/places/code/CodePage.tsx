import '../../kit/styles/greek.css';
import './code.css';
import { placeState, withPlace } from '../../state/index.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { type CodeFields, CODE_FIELDS } from './address.ts';
import { KernelCode } from './KernelCode.tsx';
import { KernelFolds } from './KernelFolds.tsx';
import { missingText } from './kernel-list.ts';
import { KernelList } from './KernelList.tsx';
import { KernelsFrame } from './KernelsFrame.tsx';
import { useKernelFiles, useKernelOfA, useListed } from './use-reading.ts';

/** Every kernel's full source, by format and operation, with its bindings and the values of its constants here. */
export function CodePage({ wide }: { readonly wide: boolean }) {
  const { document, formats } = useApp();
  const asked = useDocument((doc) => placeState(doc, CODE_FIELDS));
  const onStage = useDocument((doc) => doc.format);
  const files = useKernelFiles();
  const { named, listed, reading } = useListed({ ...asked, files, draft: null, isFree: true, isKnown: true });
  const read = (next: Partial<CodeFields>): void =>
    document.setState(withPlace(document.getState(), CODE_FIELDS, next));
  useKernelOfA(listed, onStage, () => read({ kernel: '' }));
  const missing = named && missingText(formats, asked, files, named);
  return (
    <KernelsFrame
      wide={wide}
      list={
        <Boundary name="The list of kernels">
          <KernelList files={files} listed={listed} onRead={read} />
        </Boundary>
      }
      code={
        <Boundary name="The kernel" resetKey={listed?.kernel.id ?? ''}>
          {missing !== null && (
            <p className="kernel-head" role="alert">
              {missing}
            </p>
          )}
          <KernelCode {...{ listed, reading, asked }} onRead={read} />
        </Boundary>
      }
      folds={
        <Boundary name="The folds" resetKey={listed?.kernel.id ?? ''}>
          <KernelFolds listed={listed} reading={reading} asked={asked} onRead={read} />
        </Boundary>
      }
    />
  );
}
