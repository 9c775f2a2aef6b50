import { useId, useState } from "react";
import type { KeyboardEvent } from "react";
import { numberOf } from "docusaurus-plugin-bookbound/client/links";
import type { Source } from "docusaurus-plugin-bookbound/client/wire";
import SourceLink from "@theme/Ask/SourceLink";
import { placeWords, sourceWords } from "@theme/Ask/replyWords";

export interface Props {
  source: Source;
  sentence: string;
  onFollow(): void;
}

/** The mark of a source: shows its excerpt to pointer and focus, leads to its passage. */
export default function Citation({ source, sentence, onFollow }: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || !isShown) return;
    event.stopPropagation();
    event.preventDefault();
    setShown(false);
  }

  return (
    <span
      className="bookbound-citation"
      // The excerpt describes the link; the live region around it must not read it a second time.
      aria-live="off"
      onPointerEnter={(event) => event.pointerType === "mouse" && setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocusCapture={() => setShown(true)}
      onBlurCapture={() => setShown(false)}
      onKeyDown={onKeyDown}
    >
      <SourceLink
        source={source}
        sentence={sentence}
        label={sourceWords(numberOf(source), source)}
        describedBy={isShown ? id : undefined}
        onFollow={onFollow}
      >
        {numberOf(source)}
      </SourceLink>
      {isShown && (
        <span id={id} role="tooltip" className="bookbound-excerpt" dir="auto">
          <strong>{placeWords(source)}</strong> {source.excerpt}
        </span>
      )}
    </span>
  );
}
