# Packs a docs folder, starts the stage's ingest job on it, and waits for its report.
# Takes STAGE, BOOK (may be empty), DOCS and POLL_SECONDS; needs aws, zip and jq, which GitHub's runners have.
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 1
}

output() {
  aws cloudformation describe-stacks --stack-name "bookbound-$STAGE-$1" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue"
}

[ -d "$DOCS" ] || fail "there is no folder $DOCS; name the site's docs folder by the input docs"
bucket=$(output state BooksBucket)
machine=$(output ingest IngestMachine)
book=${BOOK:-$(output api Book)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
site=$(dirname "$DOCS")
mkdir "$work/site"
cp -RP "$DOCS" "$work/site/docs"
for beside in static bookbound.yaml bookbound-pages.json; do
  if [ -e "$site/$beside" ]; then cp -RP "$site/$beside" "$work/site/$beside"; fi
done
pictures=(-iname '*.svg' -o -iname '*.png' -o -iname '*.jpg' -o -iname '*.jpeg' -o -iname '*.gif' -o -iname '*.webp')
(
  cd "$work/site"
  # Links go as links, which the job reports: what they lead to may be no part of the book.
  find . ! -type d \( ! -path './static/*' -o "${pictures[@]}" \) | zip --quiet -X --symlinks ../book.zip -@
)

key="uploads/$book/$GITHUB_SHA.zip"
run="github-$GITHUB_RUN_ID-$GITHUB_RUN_ATTEMPT-${book//[^A-Za-z0-9_-]/-}"
run=${run:0:80}
aws s3 cp --only-show-errors "$work/book.zip" "s3://$bucket/$key"
aws stepfunctions start-execution --state-machine-arn "$machine" --name "$run" \
  --input "$(jq --null-input --compact-output --arg book "$book" --arg key "$key" '{book_id: $book, key: $key}')"

execution="${machine/:stateMachine:/:execution:}:$run"
while
  status=$(aws stepfunctions describe-execution --execution-arn "$execution" --query status --output text) ||
    fail "the run $run goes on, and cannot be looked at"
  [ "$status" = RUNNING ]
do
  sleep "$POLL_SECONDS"
done

aws s3 cp --only-show-errors "s3://$bucket/runs/$book/$run/report.json" "$work/report.json" ||
  fail "the run $run ended as $status, without a report; see it in the console of Step Functions"
{
  echo '```json'
  jq . "$work/report.json"
  echo '```'
} | tee -a "$GITHUB_STEP_SUMMARY"
[ "$status" = SUCCEEDED ] || fail "$(jq --raw-output .error "$work/report.json")"
