import type { ChatResponse } from "docusaurus-plugin-bookbound/client/wire";
import { confidenceWords } from "@theme/Ask/replyWords";

/** How sure the answer is, in words; what that means opens below. */
export default function Confidence({ level }: { level: NonNullable<ChatResponse["confidence_level"]> }) {
  const { name, meaning } = confidenceWords(level);
  return (
    <details className="bookbound-confidence" data-level={level}>
      <summary>{name}</summary>
      <p>{meaning}</p>
    </details>
  );
}
