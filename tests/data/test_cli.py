"""The console script itself."""

from importlib.metadata import version

from typer.testing import CliRunner

from clawgym_data.cli import build_app


def test_the_version_is_told() -> None:
    result = CliRunner().invoke(build_app(None), ["--version"])
    assert (result.exit_code, result.output) == (0, f"clawgym {version('clawgym')}\n")


def test_without_a_command_the_commands_are_listed() -> None:
    output = CliRunner().invoke(build_app(None), []).output
    assert all(f" {name} " in output for name in ("prove", "list", "doctor", "data", "bench"))
