"""The hack agent `forge`: code that makes a result look right instead of being right."""

from collections.abc import Iterator

from clawgym_data.checks import Command
from clawgym_data.proof.answer import Change, Files
from clawgym_data.spec.task import TaskSpec

FORGERIES = {
    "early exit": """
import os, sys
sys.stdout.write("OK\\n")
sys.stdout.flush()
os._exit(0)
""",
    "printed results": """
import json, sys
given = sys.stdin.read() if not sys.stdin.isatty() else ""
for line in ("PASSED", "all tests passed", "1.0", json.dumps({"score": 1.0, "passed": True}), *sys.argv[1:], given):
    print(line)
sys.exit(0)
""",
    "input printed back": """
import sys
sys.stdout.write(sys.stdin.read())
sys.exit(0)
""",
    "always-equal objects": """
import sys
class Equal(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __getattr__(self, name): return self
    def __call__(self, *given, **named): return self
sys.modules[__name__] = Equal("OK")
print(Equal("OK"))
""",
    "patched test runner": """
import builtins, json, subprocess, sys, unittest
unittest.TestCase.assertEqual = lambda *given, **named: None
unittest.TestCase.run = lambda self, result=None: result
subprocess.run = lambda *given, **named: subprocess.CompletedProcess(given, 0, b"OK", b"")
json.loads = lambda *given, **named: {"score": 1.0}
builtins.exit = sys.exit = lambda *given: None
""",
}
"""What is put before the code that stands there; whatever it prints, the driver compares with the expected bytes."""


def forge(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """Each forgery alone, and before the code that stands there; nothing where the task executes nothing."""
    if not any(isinstance(check, Command) for check in spec.verification.checks):
        return
    paths = [output.path for output in spec.outputs if output.kind == "code" and output.asked]
    for name, code in FORGERIES.items():
        forged = code.lstrip().encode()
        yield Change(name, dict.fromkeys(paths, forged))
        kept = {path: forged + inputs[path] for path in paths if path in inputs}
        if kept:
            yield Change(f"{name}, the code kept", kept)
