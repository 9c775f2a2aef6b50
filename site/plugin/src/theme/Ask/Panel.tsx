import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { adopt } from "docusaurus-plugin-bookbound/client/adopt";
import type { PanelProps } from "docusaurus-plugin-bookbound/client/opener";
import { useSettings } from "docusaurus-plugin-bookbound/client/settings";
import { useAsk } from "docusaurus-plugin-bookbound/client/useAsk";
import { isWide, useDialog } from "docusaurus-plugin-bookbound/client/useDialog";
import About from "@theme/Ask/About";
import History from "@theme/Ask/History";
import { loadReply } from "@theme/Ask/loadReply";
import panelStyles from "@theme/Ask/panelStyles";
import Question from "@theme/Ask/Question";
import Suggestions from "@theme/Ask/Suggestions";
import TurnView from "@theme/Ask/Turn";
import { panelWords } from "@theme/Ask/words";

export default function Panel({ isOpen, passage, onPassage, onClose, returnFocus, onPickPassage }: PanelProps) {
  const settings = useSettings();
  const isInline = settings.inline === true;
  const words = panelWords();
  const { turn, session, ask, stop, show, clear, giveFeedback } = useAsk(settings, loadReply);
  const [question, setQuestion] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  const dialog = useDialog(isOpen, isInline, box, returnFocus);
  useLayoutEffect(() => adopt(dialog.current!.getRootNode() as Document | ShadowRoot, panelStyles), [dialog]);
  useEffect(() => {
    if (isOpen) box.current?.focus();
  }, [isOpen, passage]);

  function submit(text: string, about: string | null) {
    setQuestion("");
    onPassage(about);
    void ask(text, about);
    box.current?.focus({ preventScroll: true });
  }

  function edit(text: string) {
    setQuestion(text);
    box.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || isInline || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onClose();
  }

  return (
    <dialog
      ref={dialog}
      className="bookbound-panel"
      aria-labelledby="bookbound-title"
      data-inline={isInline}
      data-state={turn?.outcome.kind ?? "empty"}
      onKeyDown={onKeyDown}
      // The event comes late: by then the panel may be open again.
      onClose={() => dialog.current?.open || onClose()}
    >
      <header className="bookbound-head">
        <h2 id="bookbound-title">{words.title}</h2>
        {!isInline && (
          <button type="button" className="bookbound-close" aria-label={words.close} onClick={onClose}>
            ×
          </button>
        )}
      </header>
      <div className="bookbound-body" tabIndex={-1}>
        {turn === null && (
          <>
            <p className="bookbound-lead">{words.lead}</p>
            {isOpen && <Suggestions onAsk={(topic) => submit(topic, null)} />}
          </>
        )}
        <TurnView
          turn={turn}
          onStop={() => {
            stop();
            if (turn) edit(turn.question);
          }}
          onAsk={submit}
          onEdit={edit}
          onPickPassage={onPickPassage}
          onFollow={() => isInline || isWide() || onClose()}
          giveFeedback={giveFeedback}
        />
        <History
          entries={session.entries}
          onShow={show}
          onClear={() => {
            clear();
            box.current?.focus();
          }}
        />
        <About privacyUrl={settings.privacyUrl} sessionId={session.id} />
      </div>
      <Question
        box={box}
        value={question}
        passage={passage}
        onChange={setQuestion}
        onRemovePassage={() => onPassage(null)}
        onSubmit={() => submit(question, passage)}
      />
    </dialog>
  );
}
