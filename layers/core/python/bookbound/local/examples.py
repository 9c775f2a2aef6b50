"""Examples that each command's help shows at its end; `\\b` keeps the lines as written."""

from __future__ import annotations

BEGIN = """\b
Examples:
  bookbound ingest my-site/docs
  bookbound ask "What is a node?"
  bookbound serve"""
INGEST = """\b
Examples:
  bookbound ingest my-site/docs --dry-run    what would go in; writes nothing
  bookbound ingest my-site/docs --book-id ros2
  bookbound ingest ros2.zip                  the same book, packed
  bookbound --data /var/lib/bookbound ingest my-site/docs"""
ASK = """\b
Examples:
  bookbound ask "What is a node?"
  bookbound ask "What is a node?" --explain  which gate decided, on which figures
  bookbound ask "Why?" --selected-text "A node is small because …" --json
  bookbound ask "And its weight?" --previous "What does the lidar cost?" --json"""
SERVE = """\b
Examples:
  bookbound serve                            then open http://127.0.0.1:8000
  bookbound serve --host 0.0.0.0 --port 9000 --guarded"""
MCP = """\b
Examples, for the settings of an assistant:
  claude mcp add book -- bookbound --data /path/to/.bookbound mcp
  bookbound --data /path/to/.bookbound mcp --book-id ros2"""
EVALUATE = """\b
A line of QUESTIONS.jsonl:
  {"id": "q1", "kind": "fact", "question": "How tall is it?", "expect": "answer",
   "evidence": [{"file": "intro.md", "quote": "It is 1.2 m tall."}], "answer_points": ["1.2 m"]}
  {"id": "q2", "kind": "near_miss", "question": "What does it cost?", "expect": "refuse",
   "refusal_reasons": ["insufficient_context"]}
\b
Examples:
  bookbound evaluate questions.jsonl --html report.html
  bookbound evaluate questions.jsonl --answers answers.jsonl --json summary.json
  bookbound evaluate questions.jsonl --baseline summary.json --html report.html"""
VERIFY = """\b
A line of CLAIMS.jsonl, the label being optional:
  {"id": "c1", "claim": "It is tall.", "evidence": ["It is 1.2 m tall."], "label": true}
\b
Examples:
  bookbound verify claims.jsonl
  bookbound verify claims.jsonl --json verdicts.jsonl"""
AUDIT_REPORT = """\b
Examples:
  bookbound audit report
  bookbound audit report --from 2026-03-01 --to 2026-03-31 --json
  bookbound audit report --html report.html --stage prod    with the questions that the book left open"""
AUDIT_QUERY = """\b
Examples:
  bookbound audit query --feedback incorrect    the review list, with lines for bookbound.yaml
  bookbound audit query --reason insufficient_context --since 2026-03-01 --stage prod
  bookbound audit query --sql "SELECT client_id, count(*) AS asked FROM records GROUP BY client_id" --json"""
AUDIT_DRAIN = """\b
Example:
  bookbound audit drain --stage prod         each is in the bucket then"""
AUDIT_ERASE = """\b
Examples:
  bookbound audit erase --session 6f0c6a4e-5b0e-4c55-9d2e-0c9d1f6b7a10 --stage prod       what would go
  bookbound audit erase --session 6f0c6a4e-5b0e-4c55-9d2e-0c9d1f6b7a10 --stage prod --yes
  bookbound audit erase --client campus --reason "end of the contract"                    of this machine"""
AUDIT_DIGEST = """\b
Example:
  bookbound audit digest                     say once a day, from cron"""
AUDIT_VERIFY = """\b
Examples:
  bookbound audit verify
  bookbound audit verify --stage prod --from 2026-03-01 --to 2026-03-31 --json"""
CALIBRATE = """\b
Example:
  bookbound calibrate questions.jsonl        same lines as for evaluate"""
PUBLISH = """\b
Examples:
  bookbound publish my-site/docs --stage dev
  bookbound publish my-site/docs --stage dev --book-id ros2
  bookbound publish ros2.zip --stage dev     the same book, packed"""
DOCTOR = """\b
Examples:
  bookbound doctor                           this machine's settings and its book
  bookbound doctor --stage prod --json"""
SMOKE = """\b
Examples:
  bookbound smoke http://127.0.0.1:8000
  bookbound smoke --stage dev
  bookbound smoke https://ask.book.example --question "What is a node?"     key in BOOKBOUND_KEY"""
CLIENTS_ADD = """\b
Examples:
  bookbound clients add campus --stage prod
  bookbound clients add ros-course --stage prod --book ros2 --book gazebo --limit 300
  bookbound clients add campus               for bookbound serve --guarded, on this machine"""
CLIENTS_ROTATE = """\b
Examples:
  bookbound clients rotate campus --stage prod                the old key stays good for a day
  bookbound clients rotate campus --stage prod --overlap 0    it ends within a minute"""
BOOKS_LIST = """\b
Examples:
  bookbound books list
  bookbound books list --stage prod --book-id ros2"""
BOOKS_ROLLBACK = """\b
Examples:
  bookbound books rollback ros2 --stage prod                  back to the version before
  bookbound books rollback ros2 4f1c09d2a7be --stage prod     to this one, back or forth"""
BOOKS_REBUILD = """\b
Example:
  bookbound books rebuild ros2 --stage prod"""
BOOKS_PASSAGE = """\b
Example:
  bookbound books passage ros2 4f1c09d2a7be 3d0f4c1e-8a55-5d57-9b61-0f6f0c6f6c11 --stage prod"""
BOOKS_FOLLOW = """\b
Example:
  bookbound books follow ros2 20260401T093000Z-5f2c11ab --stage prod"""
