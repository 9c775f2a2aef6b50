/** The JSON of the API, version 1, as far as a reader's side needs it. */

export interface Picture {
  url: string;
  alt: string;
}

export interface Sentence {
  text: string;
  source_ids: string[];
  images: Picture[];
}

/** A sentence of the answer in the form that it has in the book. */
export interface Item {
  text: string;
  cells: string[];
  source_ids: string[];
  images: Picture[];
}

export interface Block {
  kind: "paragraph" | "list" | "table" | "code";
  ordered: boolean;
  start: number | null;
  header: string[];
  items: Item[];
}

/** A section of the book. */
export interface Section {
  section: string;
  page: number;
  url: string;
}

export interface Source {
  id: string;
  document: string;
  section: string;
  page: number;
  url: string;
  excerpt: string;
}

export type RefusalReason = "empty_retrieval" | "insufficient_context" | "out_of_scope" | "selected_text_insufficient";

export interface ChatResponse {
  answer_id: string;
  session_id: string;
  answer: string;
  was_refusal: boolean;
  refusal_reason: RefusalReason | null;
  sentences: Sentence[];
  sources: Source[];
  confidence_level: "high" | "medium" | "low" | null;
  low_confidence: boolean;
  notice: string | null;
  unavailable: string[];
  /** A follow-up, completed; this and what follows are absent from an older service. */
  read_as?: string | null;
  blocks?: Block[];
  related?: Section[];
}

export interface ChatRequest {
  question: string;
  selected_text?: string;
  session_id?: string;
  previous?: { question: string };
}

export interface FeedbackRequest {
  answer_id: string;
  verdict: "correct" | "incorrect";
  comment?: string;
}

export interface BrowserToken {
  token: string;
  expires_at: string;
}
