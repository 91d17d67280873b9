/** `npm run kernel`: lists all kernels, or prints the WGSL of one as it is compiled. */
import { SparseScopeError } from '../src/core/errors.ts';
import { formats } from '../src/formats/registry.ts';
import { ArgumentError } from './arguments.ts';
import { KERNEL_USAGE, kernelList, kernelText, parseKernelArguments } from './kernel-text.ts';

function main(argv: readonly string[]): string {
  if (argv.includes('--help')) return KERNEL_USAGE;
  const options = parseKernelArguments(argv);
  return options === null ? kernelList(formats) : kernelText(formats, options);
}

try {
  console.log(main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SparseScopeError)) throw error;
  console.error(`kernel: ${error.message}`);
  process.exitCode = error instanceof ArgumentError ? 2 : 1;
}
