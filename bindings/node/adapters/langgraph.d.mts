import type { BaseCheckpointSaver, SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { Store } from '../lib/index.js';

declare const HoldfastSaver: {
  /** Stores threads under `project` (default "langgraph"). A checkpoint is on the disk when `put` resolves. */
  new (store: Store, options?: { project?: string; serde?: SerializerProtocol }): BaseCheckpointSaver;
};
type HoldfastSaver = InstanceType<typeof HoldfastSaver>;
export { HoldfastSaver };
