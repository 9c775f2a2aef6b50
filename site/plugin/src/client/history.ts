import type { ChatResponse } from "./wire";

/** A question of this session and what came of it. */
export interface Entry {
  question: string;
  selection: string | null;
  response: ChatResponse;
}

export interface Session {
  id: string | null;
  /** Oldest first. */
  entries: readonly Entry[];
}

export const NO_SESSION: Session = { id: null, entries: [] };
const MOST_ENTRIES = 20;

/** The storage of this tab; null where the browser forbids it. */
export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

export function loadSession(storage: Storage | null, key: string): Session {
  try {
    const { id, entries } = JSON.parse(storage?.getItem(key) ?? "null");
    return { id: typeof id === "string" ? id : null, entries: entries.filter(isEntry) };
  } catch {
    return NO_SESSION;
  }
}

/** Stores the session, without the oldest entries where the storage has not the room for all. */
export function saveSession(storage: Storage | null, key: string, session: Session): void {
  for (let from = 0; storage && from <= session.entries.length; from++) {
    try {
      storage.setItem(key, JSON.stringify({ ...session, entries: session.entries.slice(from) }));
      return;
    } catch {
      continue;
    }
  }
}

export function clearSession(storage: Storage | null, key: string): void {
  storage?.removeItem(key);
}

export function withEntry(session: Session, entry: Entry): Session {
  return { id: entry.response.session_id, entries: [...session.entries, entry].slice(-MOST_ENTRIES) };
}

function isEntry(value: unknown): value is Entry {
  const { question, response } = (value ?? {}) as Partial<Entry>;
  return typeof question === "string" && Array.isArray(response?.sentences) && Array.isArray(response.sources);
}
