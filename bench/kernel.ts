/** `npm run kernel`: lists all kernels, or prints the WGSL of one as compiled. */
import { runProgram } from '../scripts/command-line.ts';
import { formats } from '../src/formats/registry.ts';
import { KERNEL_USAGE, kernelList, kernelText, parseKernelArguments } from './kernel-text.ts';

await runProgram('kernel', KERNEL_USAGE, (argv) => {
  const options = parseKernelArguments(argv);
  console.log(options === null ? kernelList(formats) : kernelText(formats, options));
  return 0;
});
