import { useState } from "react";
import { plainText } from "docusaurus-plugin-bookbound/client/text";
import type { ChatResponse } from "docusaurus-plugin-bookbound/client/wire";
import { answerWords } from "@theme/Ask/replyWords";

/** Copies the answer with its sources. */
export default function Copy({ question, response }: { question: string; response: ChatResponse }) {
  const words = answerWords();
  const [state, setState] = useState("");

  async function copy() {
    try {
      await navigator.clipboard.writeText(plainText(question, response, location.href));
      setState(words.copied);
    } catch {
      setState(words.notCopied);
    }
  }

  return (
    <p className="bookbound-actions">
      <button type="button" onClick={copy}>
        {words.copy}
      </button>
      <span role="status">{state}</span>
    </p>
  );
}
