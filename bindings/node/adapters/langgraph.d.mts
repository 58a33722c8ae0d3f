import type { BaseCheckpointSaver, SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { Store } from '../lib/index.js';

declare const HoldfastSaver: {
  /** Threads lie under `project` (default "langgraph"). What `put` resolves for is on the disk. */
  new (store: Store, options?: { project?: string; serde?: SerializerProtocol }): BaseCheckpointSaver;
};
type HoldfastSaver = InstanceType<typeof HoldfastSaver>;
export { HoldfastSaver };
