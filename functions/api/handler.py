"""Lambda's entry point: `functions.api.handler.handler`."""

from __future__ import annotations

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers

from bookbound import wiring
from bookbound.settings import Settings
from functions.api.app import create_app
from functions.api.deps import ApiDeps
from functions.api.gateway import behind_gateway

copy_config_to_registered_loggers(Logger(service="bookbound-api"), include={"bookbound"})

system = wiring.build(Settings())
handler = behind_gateway(create_app(ApiDeps(system.answer, system.ready, system.feedback)))
