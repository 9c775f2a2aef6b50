import type { KeyboardEvent, RefObject } from "react";
import { QUESTION_LIMIT, lengthOf } from "docusaurus-plugin-bookbound/client/text";
import { questionWords } from "@theme/Ask/words";

export interface Props {
  box: RefObject<HTMLTextAreaElement | null>;
  value: string;
  passage: string | null;
  onChange(value: string): void;
  onRemovePassage(): void;
  onSubmit(): void;
}

export default function Question({ box, value, passage, onChange, onRemovePassage, onSubmit }: Props) {
  const words = questionWords();
  const length = lengthOf(value);
  const tooLong = length > QUESTION_LIMIT;

  function submit() {
    if (length > 0 && !tooLong) onSubmit();
    else box.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter that ends an input method's composition is not meant for us.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  return (
    <form
      className="bookbound-question"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {passage !== null && (
        <div className="bookbound-chip">
          <span>{words.about}</span>
          <button
            type="button"
            aria-label={words.remove}
            onClick={() => {
              onRemovePassage();
              box.current?.focus();
            }}
          >
            ×
          </button>
          <q dir="auto">{passage}</q>
        </div>
      )}
      <textarea
        ref={box}
        rows={2}
        // An empty box would be left to right wherever it stands.
        dir={value ? "auto" : undefined}
        value={value}
        placeholder={words.placeholder}
        aria-label={words.label}
        aria-describedby="bookbound-limits"
        aria-invalid={tooLong}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p id="bookbound-limits" data-over={tooLong}>
        {words.count(length, QUESTION_LIMIT)}. {words.hint}
      </p>
      <button type="submit" className="bookbound-primary">
        {words.ask}
      </button>
    </form>
  );
}
