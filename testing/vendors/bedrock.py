"""Claude on Amazon Bedrock: InvokeModel, with AWS' signature checked, as docs.aws.amazon.com has it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from testing.vendors.claude import Claude, checked, message, object_of, text_of
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.server import Reply, Request, json_reply, page
from testing.vendors.speech import encoded, spoken
from testing.vendors.vendor import Rejected

REGION = "eu-central-1"
MODEL = "eu.anthropic.claude-haiku-5-5-20261001-v1:0"
"""An inference profile: the model's id behind the geography that it may be computed in."""

ACCESS_KEY_ID, SECRET_ACCESS_KEY = "AKIALOOPBACK", "loopback-secret"
ENVIRONMENT = {"AWS_ACCESS_KEY_ID": ACCESS_KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY}
"""The role's credentials, as a function has them."""

_INVOKE = re.compile(r"/model/(?P<model>[^/]+)/invoke")
_SIGNED = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/\d{8}/(?P<region>[^/]+)/bedrock/aws4_request, "
    r"SignedHeaders=(?P<headers>[^,]+), Signature=[0-9a-f]{64}"
)
_ERRORS = {
    400: ("ValidationException", "The provided model identifier is invalid."),
    401: ("UnrecognizedClientException", "The security token included in the request is invalid."),
    403: ("AccessDeniedException", "User is not authorized to perform: bedrock:InvokeModel"),
    404: ("ResourceNotFoundException", "Could not resolve the foundation model from the identifier."),
    413: ("ValidationException", "Input is too long for requested model."),
    429: ("ThrottlingException", "Too many requests, please wait before trying again."),
    500: ("InternalServerException", "The system encountered an unexpected error."),
    503: ("ServiceUnavailableException", "Bedrock is unable to process your request."),
}


class Bedrock(Claude):
    """POST /model/MODEL/invoke, answered by a model of `testing.vendors.models`; there is no key."""

    name = "bedrock"

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        found = _INVOKE.fullmatch(request.path)
        if request.method != "POST" or found is None:
            raise Rejected(404)
        self._check_signature(request)
        body = _checked(object_of(request), found["model"])
        text = spoken(
            self.model, text_of(body.get("system", "")), text_of(body["messages"][-1]["content"]), wrong
        )
        said = message(body, text, wrong)
        counts = tuple(
            (f"x-amzn-bedrock-{way}-token-count", str(said["usage"][f"{way}_tokens"]))
            for way in ("input", "output")
        )
        return Reply((encoded(said),), headers=counts)

    def error(self, status: int, message: str | None = None) -> Reply:
        if status not in _ERRORS:
            return page(status)
        kind, usual = _ERRORS[status]
        return json_reply({"message": message or usual}, status, {"x-amzn-errortype": kind})

    def _check_signature(self, request: Request) -> None:
        """Sign the request again, as it came, and compare. Raises Rejected."""
        given = request.headers.get("authorization", "")
        signed = _SIGNED.fullmatch(given)
        if signed is None or (signed["key"], signed["region"]) != (ACCESS_KEY_ID, REGION):
            raise Rejected(401)
        headers = {name: request.headers[name] for name in signed["headers"].split(";")}
        again = AWSRequest("POST", f"http://{headers['host']}{request.path}", headers, request.body)
        again.context["timestamp"] = headers["x-amz-date"]
        signer = SigV4Auth(Credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY), "bedrock", REGION)
        canonical = signer.canonical_request(again)
        if not given.endswith(signer.signature(signer.string_to_sign(again, canonical), again)):
            raise Rejected(401, "The request signature we calculated does not match the one you provided.")


def _checked(body: dict[str, Any], model: str) -> dict[str, Any]:
    """The body as Claude's own API has it; the model stands in the address here. Raises Rejected."""
    if "anthropic_version" not in body:
        raise Rejected(400, "anthropic_version: Field required")
    for foreign in ("model", "stream"):
        if foreign in body:
            raise Rejected(400, f"{foreign}: Extra inputs are not permitted")
    own = {name: value for name, value in body.items() if name != "anthropic_version"}
    _, _, name = unquote(model).rpartition("anthropic.")
    return checked(own | {"model": re.sub(r"-v\d+(:\d+)?$", "", name)})
