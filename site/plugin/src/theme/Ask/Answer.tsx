import type { ChatResponse } from "docusaurus-plugin-bookbound/client/wire";
import Blocks from "@theme/Ask/Blocks";
import { answerWords } from "@theme/Ask/replyWords";

export interface Props {
  response: ChatResponse;
  onFollow(): void;
}

export default function Answer({ response, onFollow }: Props) {
  const words = answerWords();
  return (
    <div className="bookbound-answer" data-low={response.low_confidence}>
      {response.notice && <p className="bookbound-note">{response.notice}</p>}
      <Blocks response={response} onFollow={onFollow} />
      {response.unavailable.length > 0 && (
        <div className="bookbound-note" data-unavailable>
          <p>{words.unavailable}</p>
          <ul>
            {response.unavailable.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
