// Runs all of LangGraph's conformance suite on our checkpointer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { validate } from '@langchain/langgraph-checkpoint-validation';
import { Store } from 'holdfast';
import { HoldfastSaver } from 'holdfast/langgraph';

const homes = new Map();
validate({
  checkpointerName: 'holdfast',
  createCheckpointer() {
    const home = mkdtempSync(path.join(tmpdir(), 'holdfast-langgraph-'));
    const store = new Store('holdfast:' + home);
    const saver = new HoldfastSaver(store);
    homes.set(saver, { home, store });
    return saver;
  },
  async destroyCheckpointer(saver) {
    const { home, store } = homes.get(saver);
    await store.close();
    rmSync(home, { recursive: true, force: true });
  },
});
