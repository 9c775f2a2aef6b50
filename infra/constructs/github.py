"""GitHub's workflows that may work on a stage, each by a role of its own, and no key stored anywhere."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.constructs.ingest_steps import RUNS, UPLOADS
from infra.grants import describe_outputs, read_objects, read_settings, run_and_follow, write_objects
from infra.reasons import excuse
from infra.stage import REPOSITORY

ISSUER = "token.actions.githubusercontent.com"
AUDIENCE = "sts.amazonaws.com"

BOOTSTRAPPED = "cdk-hnb659fds-"
"""What the names of the roles begin with that CDK's bootstrap makes."""


def subjects(repository: str, environment: str) -> list[str]:
    """Return how GitHub's tokens name a workflow of a repository in an environment.

    Repositories that were made, renamed or moved since July 2026 have the ids of owner and repository in
    it, which nobody gets who later takes over a name; older ones have the names alone. A repository that is
    given with its ids is trusted in both forms, one without in the older form alone.
    """
    found = REPOSITORY.fullmatch(repository)
    if found is None:
        raise ValueError(f"{repository!r} is no GitHub repository")
    forms = ["{owner}/{name}"] + (["{owner}@{owner_id}/{name}@{id}"] if found["id"] else [])
    return [f"repo:{form.format(**found.groupdict())}:environment:{environment}" for form in forms]


def workflow(stack: Stack, repository: str, environment: str) -> iam.IPrincipal:
    """The workflows of a repository in an environment, through the account's provider for GitHub."""
    provider = stack.format_arn(service="iam", region="", resource="oidc-provider", resource_name=ISSUER)
    claims = {f"{ISSUER}:aud": AUDIENCE, f"{ISSUER}:sub": subjects(repository, environment)}
    return iam.WebIdentityPrincipal(provider, {"StringEquals": claims})


class GitHubStack(Stack):
    """The account's provider for GitHub's tokens: one for all stages, which roles of theirs trust."""

    def __init__(self, scope: Construct) -> None:
        super().__init__(scope, "bookbound-github")
        iam.CfnOIDCProvider(self, "Provider", url=f"https://{ISSUER}", client_id_list=[AUDIENCE])


class Author(iam.Role):
    """A book's repository: sends pages, starts the ingest and follows it. It reads no secret."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        trusts: iam.IPrincipal,
        stage: str,
        books: s3.IBucket,
        machine: sfn.StateMachine,
    ) -> None:
        super().__init__(scope, construct_id, assumed_by=trusts)
        describe_outputs(stage, self)
        write_objects(books, self, UPLOADS)
        read_objects(books, self, RUNS)
        run_and_follow(machine, self)


class Deployer(iam.Role):
    """The project's repository: deploys by the roles of CDK's bootstrap, then asks two questions."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        trusts: iam.IPrincipal,
        stage: str,
        books: s3.IBucket,
        api: lambda_.IFunction,
    ) -> None:
        super().__init__(scope, construct_id, assumed_by=trusts)
        _bootstrapped(self, "*")
        describe_outputs(stage, self)
        read_settings(api, self)
        read_objects(books, self, "books/*")


class Differ(iam.Role):
    """The same repository before anybody approved of a deploy: looks up what is there."""

    def __init__(self, scope: Construct, construct_id: str, *, trusts: iam.IPrincipal) -> None:
        super().__init__(scope, construct_id, assumed_by=trusts)
        _bootstrapped(self, "lookup-role-*")


def _bootstrapped(role: iam.Role, which: str) -> None:
    name = f"{BOOTSTRAPPED}{which}"
    arn = role.stack.format_arn(service="iam", region="", resource="role", resource_name=name)
    iam.Grant.add_to_principal(grantee=role, actions=["sts:AssumeRole"], resource_arns=[arn])
    found = f"arn:<AWS::Partition>:iam::<AWS::AccountId>:role/{name}"
    excuse(role, f"IAM5[Resource::{found}]", "The roles of CDK's bootstrap end with account and region.")
