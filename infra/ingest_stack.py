"""Ingest of books: the job that makes an index of an upload, what starts it, and who may upload."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.api_stack import ApiStack
from infra.assets import Assets
from infra.constructs.function import layer
from infra.constructs.github import Author, Deployer, Differ, workflow
from infra.constructs.ingest_machine import IngestMachine
from infra.constructs.ingest_steps import ARCHIVES, POINTERS, UPLOADS, IngestSteps
from infra.constructs.ingest_trigger import UploadRule
from infra.constructs.report_topic import ReportTopic
from infra.constructs.undelivered import Undelivered
from infra.grants import describe_outputs, read_objects, read_settings, run_and_follow, write_objects
from infra.outputs import put_out
from infra.stage import Stage
from infra.state_stack import StateStack


class IngestStack(Stack):
    """The stage's ingest.

    Attributes:
        machine: the flow.
        reports: the topic that hears what came of each run.
        unstarted: uploads whose run could not be started.
    """

    def __init__(
        self, scope: Construct, stage: Stage, *, assets: Assets, state: StateStack, api: ApiStack
    ) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-ingest", termination_protection=not stage.disposable)
        self.reports: sns.ITopic = ReportTopic(self, "Reports")
        layers = [layer(self, "Core", assets.core), layer(self, "Deps", assets.ingest_deps)]
        steps = IngestSteps(
            self, "Steps", stage=stage, assets=assets, layers=layers, state=state, reports=self.reports
        )
        live = {name: function.live for name, function in steps.functions.items()}
        self.machine = IngestMachine(self, "Machine", stage=stage, steps=live, bucket=state.books)
        self.unstarted: sqs.IQueue = Undelivered(self, "Unstarted", stage=stage)
        UploadRule(self, "Uploads", bucket=state.books, machine=self.machine, unstarted=self.unstarted)
        publisher = self._publisher(stage, state, api)
        put_out(
            self,
            IngestMachine=self.machine.state_machine_arn,
            ReportTopic=self.reports.topic_arn,
            Publisher=publisher.role_arn,
        )
        self._github(stage, state, api)

    def _publisher(self, stage: Stage, state: StateStack, api: ApiStack) -> iam.Role:
        """All that `bookbound publish` and `bookbound books` need: it deletes nothing, and writes no version.

        Trusted are the account's own people, as far as their rights say.
        """
        publisher = iam.Role(self, "Publisher", assumed_by=iam.AccountPrincipal(self.account))
        describe_outputs(stage.name, publisher)
        read_settings(api.api, publisher)
        state.vendors.grant_read(publisher)
        read_objects(state.books, publisher, "*")
        for keys in (UPLOADS, ARCHIVES, POINTERS):
            write_objects(state.books, publisher, keys)
        run_and_follow(self.machine, publisher)
        return publisher

    def _github(self, stage: Stage, state: StateStack, api: ApiStack) -> None:
        """Let in the workflows of the repositories that the stage names, each as far as its work goes.

        The roles stand here, where they use what the stack uses anyway: a stack of their own would keep
        importing what the others no longer export once a repository is taken out of the stage.
        """
        if stage.author_repo is not None:
            author = Author(
                self,
                "Author",
                trusts=workflow(self, stage.author_repo, stage.name),
                stage=stage.name,
                books=state.books,
                machine=self.machine,
            )
            put_out(self, Author=author.role_arn)
        if stage.deploy_repo is not None:
            deployer = Deployer(
                self,
                "Deployer",
                trusts=workflow(self, stage.deploy_repo, stage.name),
                stage=stage.name,
                books=state.books,
                api=api.api,
            )
            differ = Differ(self, "Differ", trusts=workflow(self, stage.deploy_repo, f"{stage.name}-diff"))
            put_out(self, Deployer=deployer.role_arn, Differ=differ.role_arn)
