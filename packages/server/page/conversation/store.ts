import type { Conversation } from './conversation.js';

/** What a list of conversations needs of one. */
export type Head = Pick<Conversation, 'id' | 'title' | 'changed'>;

/** Told of what another tab saved or deleted. */
export type OnChange = (id: string) => void;

/** Conversations, kept in this browser and nowhere else. */
export interface Store {
  /** Newest first. */
  heads(): Promise<Head[]>;
  load(id: string): Promise<Conversation | undefined>;
  /** Other tabs are told, unless it `isQuiet`. */
  save(conversation: Conversation, isQuiet?: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  /** Whether conversations are still there when the page is opened again. */
  readonly lasts: boolean;
}

/** The browser's database; memory alone where it has none to give, as in some private windows. */
export async function openStore(onChange: OnChange): Promise<Store> {
  try {
    return databaseStore(await openDatabase(), onChange);
  } catch {
    return memoryStore();
  }
}

const newestFirst = (heads: Head[]) => heads.sort((a, b) => b.changed - a.changed);
const headOf = ({ id, title, changed }: Conversation): Head => ({ id, title, changed });

function databaseStore(database: IDBDatabase, onChange: OnChange): Store {
  const channel = new BroadcastChannel('pocketllm-conversations');
  channel.onmessage = ({ data }) => onChange(String(data));
  const begin = (mode: IDBTransactionMode) => {
    const transaction = database.transaction(['heads', 'conversations'], mode);
    return {
      heads: transaction.objectStore('heads'),
      conversations: transaction.objectStore('conversations'),
      committed: new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      }),
    };
  };
  return {
    lasts: true,
    heads: async () => newestFirst(await resultOf<Head[]>(begin('readonly').heads.getAll())),
    load: (id) => resultOf<Conversation | undefined>(begin('readonly').conversations.get(id)),
    async save(conversation, isQuiet = false) {
      const { heads, conversations, committed } = begin('readwrite');
      heads.put(headOf(conversation));
      conversations.put(conversation);
      await committed;
      if (!isQuiet) channel.postMessage(conversation.id);
    },
    async remove(id) {
      const { heads, conversations, committed } = begin('readwrite');
      heads.delete(id);
      conversations.delete(id);
      await committed;
      channel.postMessage(id);
    },
  };
}

function memoryStore(): Store {
  const kept = new Map<string, Conversation>();
  return {
    lasts: false,
    heads: async () => newestFirst([...kept.values()].map(headOf)),
    load: async (id) => kept.get(id),
    save: async (conversation) => void kept.set(conversation.id, conversation),
    remove: async (id) => void kept.delete(id),
  };
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open('pocketllm', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('heads', { keyPath: 'id' });
    opening.result.createObjectStore('conversations', { keyPath: 'id' });
  };
  return resultOf(opening);
}

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
