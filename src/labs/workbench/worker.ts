import type { StartLab } from '../../engine/lab.ts';
import { OwnFormats } from './own/own-formats.ts';
import { draftGate } from './place/service/drafts/gate.ts';
import { drafts } from './place/service/drafts/service.ts';
import { ownKernels } from './place/service/own/service.ts';

export const startLab: StartLab = () => ({
  services: [drafts, ownKernels],
  provider: new OwnFormats(),
  drafts: draftGate,
});
