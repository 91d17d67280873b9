// Errors as browsers and drivers throw them, for tests of the page's messages about them.

/** An error of a browser or driver; `happened`: what the page's message must state about it. */
export interface ForeignError {
  readonly error: Error | DOMException;
  readonly name: string;
  readonly message: string;
  readonly happened: RegExp;
}

const ERRORS: readonly (readonly [name: string, message: string, happened: RegExp])[] = [
  ['AbortError', 'A valid external Instance reference no longer exists.', /access to the GPU ended/],
  ['Error', 'A valid external Instance reference no longer exists.', /access to the GPU ended/],
  ['OperationError', 'Instance dropped error in APIRequestAdapter', /access to the GPU ended/],
  ['OperationError', 'Device is lost.', /the GPU was lost/],
  ['OperationError', 'D3D12: DXGI_ERROR_DEVICE_REMOVED', /the GPU was lost/],
  ['RangeError', 'Array buffer allocation failed', /memory ran out/],
  ['RangeError', 'Invalid typed array length: 4294967296', /memory ran out/],
  ['RangeError', 'WebAssembly.Memory(): could not allocate memory', /memory ran out/],
  ['OperationError', 'vkAllocateMemory failed with VK_ERROR_OUT_OF_DEVICE_MEMORY', /memory ran out/],
  ['OperationError', 'Failed to execute mapAsync on GPUBuffer: mapping failed', /GPU or its driver rejected/],
  ['GPUValidationError', 'Binding size is larger than the maximum', /GPU or its driver rejected/],
  ['GPUPipelineError', 'The entry point main was not found', /GPU or its driver rejected/],
  ['TypeError', '[Buffer "y"] used in submit while destroyed', /GPU or its driver rejected/],
  ['InvalidStateError', '[Invalid CommandBuffer] is invalid', /GPU or its driver rejected/],
  ['NotReadableError', 'The requested file could not be read', /file can no longer be read/],
  ['NotFoundError', 'A requested file or directory could not be found at the time', /file can no longer be read/],
  ['QuotaExceededError', 'The quota has been exceeded', /storage is full/],
  ['SecurityError', 'The operation is insecure', /denied access/],
  ['NotAllowedError', 'Write permission denied', /denied access/],
  ['DataCloneError', 'Data cannot be cloned', /between threads/],
  ['TypeError', 'Failed to fetch', /network did not answer/],
  ['TypeError', 'NetworkError when attempting to fetch resource', /network did not answer/],
  ['TypeError', "Cannot read properties of undefined (reading 'x')", /browser reported an error/],
  ['Error', 'boom', /browser reported an error/],
];

/** Errors of all kinds that the page explains, and two that it can only repeat. */
export const FOREIGN_ERRORS: readonly ForeignError[] = ERRORS.map(([name, message, happened]) => ({
  error: Object.assign(new Error(message), { name }),
  name,
  message,
  happened,
}));
