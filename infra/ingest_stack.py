"""How books get in: who may publish them."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.api_stack import ApiStack
from infra.grants import delete_objects, describe_stack, read_objects, write_objects
from infra.outputs import put_out
from infra.stage import Stage
from infra.state_stack import StateStack

_GITHUB = "token.actions.githubusercontent.com"


class IngestStack(Stack):
    """The role `Publisher`: all that `bookbound publish` and `bookbound books` need. It can delete no book.

    Old versions of books it deletes, whose objects the bucket can bring back for a while.

    Trusted are the account's own people, as far as their rights say, and the stage's environment in the
    author's GitHub repository, through the account's OIDC provider for GitHub.
    """

    def __init__(self, scope: Construct, stage: Stage, *, state: StateStack, api: ApiStack) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-ingest", termination_protection=not stage.disposable)
        publisher = iam.Role(self, "Publisher", assumed_by=self._trusted(stage))
        for part in ("state", "api", "observability"):
            describe_stack(f"bookbound-{stage.name}-{part}", publisher)
        settings = ["lambda:GetFunctionConfiguration"]
        iam.Grant.add_to_principal(grantee=publisher, actions=settings, resource_arns=[api.api.function_arn])
        state.vendors.grant_read(publisher)
        read_objects(state.books, publisher)
        write_objects(state.books, publisher)
        delete_objects(state.books, publisher, "*/versions/*")
        put_out(self, Publisher=publisher.role_arn)

    def _trusted(self, stage: Stage) -> iam.IPrincipal:
        people = iam.AccountPrincipal(self.account)
        if stage.author_repo is None:
            return people
        provider = self.format_arn(service="iam", region="", resource="oidc-provider", resource_name=_GITHUB)
        claims = {
            f"{_GITHUB}:aud": "sts.amazonaws.com",
            f"{_GITHUB}:sub": f"repo:{stage.author_repo}:environment:{stage.name}",
        }
        github = iam.WebIdentityPrincipal(provider, {"StringEquals": claims})
        return iam.CompositePrincipal(people, github)
