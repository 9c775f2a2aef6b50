import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import type { Api } from "docusaurus-plugin-bookbound/client/api";
import type { ChatResponse, FeedbackRequest } from "docusaurus-plugin-bookbound/client/wire";
import { feedbackWords } from "@theme/Ask/replyWords";

const COMMENT_LIMIT = 2000;

type State = "open" | "commenting" | "sending" | "thanks" | "failed";

const focus = (box: HTMLTextAreaElement | null) => box?.focus();

/** Whether the answer was right, or the refusal; a wrong one takes a remark. */
export default function Feedback({ response, give }: { response: ChatResponse; give: Api["giveFeedback"] }) {
  const words = feedbackWords();
  const id = useId();
  const [state, setState] = useState<State>("open");
  const [comment, setComment] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (state === "thanks") status.current?.focus({ preventScroll: true });
  }, [state]);

  async function send(verdict: FeedbackRequest["verdict"]) {
    const remark = comment.trim();
    setState("sending");
    try {
      const said = verdict === "incorrect" && remark ? { comment: remark } : {};
      await give({ answer_id: response.answer_id, verdict, ...said });
      setState("thanks");
    } catch {
      setState("failed");
    }
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    void send("incorrect");
  }

  return (
    <div className="bookbound-feedback">
      {state !== "thanks" && (
        <p className="bookbound-actions" role="group" aria-label={response.was_refusal ? words.declined : words.right}>
          <span>{response.was_refusal ? words.declined : words.right}</span>
          <button type="button" disabled={state === "sending"} onClick={() => send("correct")}>
            {words.correct}
          </button>
          <button
            type="button"
            aria-expanded={state === "commenting"}
            disabled={state === "sending"}
            onClick={() => setState("commenting")}
          >
            {words.incorrect}
          </button>
        </p>
      )}
      {state === "commenting" && (
        <form onSubmit={onSubmit}>
          <label htmlFor={id}>{words.comment}</label>
          <textarea
            id={id}
            rows={2}
            dir="auto"
            ref={focus}
            maxLength={COMMENT_LIMIT}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <button type="submit">{words.send}</button>
        </form>
      )}
      <p ref={status} role="status" tabIndex={-1}>
        {state === "thanks" ? words.thanks : state === "failed" ? words.failed : ""}
      </p>
    </div>
  );
}
