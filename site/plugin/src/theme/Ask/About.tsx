import Link from "@docusaurus/Link";
import { panelWords } from "@theme/Ask/words";

/** What a reader should know about asking: no memory, privacy, the session's id. */
export default function About({ privacyUrl, sessionId }: { privacyUrl?: string; sessionId: string | null }) {
  const words = panelWords();
  return (
    <footer className="bookbound-small">
      <p>{words.alone}</p>
      {privacyUrl && (
        <p>
          <Link to={privacyUrl}>{words.privacy}</Link>
        </p>
      )}
      {sessionId && (
        <p>
          {words.session} <code data-session>{sessionId}</code>
        </p>
      )}
    </footer>
  );
}
