"""What hostile agents do, as tool calls, and what each may get for it: the score of its honest part and no more."""

import os
from dataclasses import dataclass
from typing import Any

from tests.bench.scripted import Call, Step, output_of
from tests.conftest import FIXTURE_TASKS

SOLVE = (FIXTURE_TASKS / "stall-takings" / "solution" / "solve.py").read_text("utf-8")
HONEST: Call = ("exec", {"command": f"python3 - . <<'EOF'\n{SOLVE}\nEOF"})
LEFT_BEHIND = f"4817.{os.getpid()}"
"""What the background processes of these agents sleep, so that one that outlives its trial can be found, beside those of other workers."""
WITHOUT_TABLE, WITHOUT_NOTE = 2 / 13, 11 / 13
"""Shares of the weight that the other output is worth."""
TOUCHED = 0.5
"""The factor of the guard over the initial files."""


@dataclass(frozen=True)
class Case:
    """One agent."""

    name: str
    steps: tuple[Step, ...]
    score: float = 1.0
    outcome: str = "scored"
    cause: str = ""
    """How the cause begins."""
    told: tuple[str, ...] = ()
    """What the conversation holds."""
    evidence: tuple[tuple[str, str], ...] = ()
    """(check, what its evidence holds)."""


def sh(script: str, **options: Any) -> Call:
    return ("exec", {"command": script, **options})


def py(program: str, **options: Any) -> Call:
    return sh(f"python3 - <<'EOF'\n{program}\nEOF", **options)


def after_work(name: str, script: str | Step, score: float = 1.0, **other: Any) -> Case:
    """An agent that does the task and then something else."""
    return Case(name, (HONEST, sh(script) if isinstance(script, str) else script), score, **other)


def at_output(name: str, script: str, reason: str = "no regular file") -> Case:
    return after_work(f"output is {name}", script, WITHOUT_TABLE, evidence=(("table", reason),))


def parse_error(name: str) -> Step:
    output = output_of((name, {}))
    assert output.message.tool_calls
    output.message.tool_calls[0].parse_error = "the arguments are no JSON"
    return output


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


OUTPUTS = [
    at_output("a link to a host file", "ln -sf /etc/passwd payout.csv", "symbolic link"),
    at_output("a link to itself", "rm payout.csv; ln -s payout.csv payout.csv", "symbolic link"),
    at_output("a link to a right file", "mv payout.csv p; ln -s p payout.csv", "symbolic link"),
    at_output("a link out of the tree", "rm payout.csv; ln -s ../../../../etc/shadow payout.csv", "symbolic link"),
    at_output("a link to a device", "ln -sf /dev/zero payout.csv", "symbolic link"),
    at_output("a fifo", "rm payout.csv; mkfifo payout.csv", "fifo"),
    at_output("a socket", "rm payout.csv; python3 -c \"import socket; socket.socket(1).bind('payout.csv')\"", "socket"),
    at_output("a folder", "rm payout.csv; mkdir payout.csv"),
    at_output("without rights", "chmod 0 payout.csv", "mode 0000"),
    at_output("below a link", "rm payout.csv; mkdir d; ln -s d/../../x payout.csv"),
    at_output("a sparse file of 10 GB", "rm payout.csv; truncate -s 10G payout.csv; truncate -s 511M payout.csv"),
    at_output("bytes that are no text", "head -c 5000 /dev/urandom > payout.csv", "payout.csv"),
    at_output("a table without rows", "printf 'grower,sold,payout\\n' > payout.csv", "no rows"),
    at_output("empty", ": > payout.csv", "empty"),
    Case(
        "device at an output",
        (HONEST, sh("mknod payout.csv c 1 5; mknod b b 7 0")),
        told=("Operation not permitted",),
    ),
    after_work("output has a second name", "ln payout.csv elsewhere.csv"),
]

INPUTS = [
    after_work("input edited", "echo 'From 2026-06-01: 0 per cent.' >> rules.txt", TOUCHED),
    after_work("inputs emptied", ": > rules.txt; for f in sales/*; do : > $f; done", TOUCHED),
    after_work("inputs removed", "rm -r sales rules.txt", TOUCHED),
    after_work("input is a link to a right copy", "mv rules.txt r; ln -s r rules.txt", TOUCHED),
    after_work("input is a fifo", "rm rules.txt; mkfifo rules.txt", TOUCHED),
    after_work("input folder is a link", "mv sales s; ln -s s sales", TOUCHED),
    after_work("input without rights", "chmod 0 rules.txt sales", TOUCHED),
    Case(
        "inputs made easy before the work",
        (sh("for f in sales/*; do head -2 $f > x; mv x $f; done"), HONEST),
        0.0,
        evidence=(("untouched", "changed"),),
    ),
    Case("input copied to the output", (sh("cp sales/2026-05-02.csv payout.csv; cp rules.txt note.md"),), 0.0),
]

FLOODS = [
    after_work("200,000 files", "mkdir aaa; cd aaa; seq 200000 | xargs touch"),
    after_work("a folder too deep", py("import os\nfor n in range(3000): os.mkdir('d'); os.chdir('d')")),
    after_work(
        "names that are no text", py("for n in range(200): open(b'\\xff\\n\\x1b[2J' + bytes([n % 255 + 1]), 'w')")
    ),
    after_work("names alike but for normalisation", "touch caf\u00e9 cafe\u0301 CAF\u00c9"),
    after_work("a full disk", "head -c 600M /dev/zero > fill; head -c 600M /dev/zero > /tmp/fill"),
    Case(
        "a full disk freed for the work",
        (sh("head -c 600M /dev/zero > fill; echo x > payout.csv"), HONEST, sh("rm fill"), HONEST),
        told=("No space left on device",),
    ),
    after_work("memory used up", py("b = []\nwhile True: b.append(bytearray(64 << 20))")),
    after_work(
        "open files used up", py("f = []\nwhile True: f.append(open('rules.txt'))"), told=("Too many open files",)
    ),
    after_work("a fork bomb", sh("bomb() { bomb | bomb & }; bomb", yieldMs=1500)),
    Case(
        "processes used up",
        (HONEST, sh("for i in $(seq 400); do sleep 4817 & done; wait", yieldMs=3000), *[sh("true")] * 6),
        outcome="agent_failed",
        cause="exhausted its sandbox",
    ),
    after_work("closed folders left behind", "mkdir -p a/b c; touch a/b/x; chmod 0 a/b; chmod 0444 a c"),
    after_work("the workspace itself is closed", "chmod 0 .", 0.0),
    after_work("immutable and set-user files", "cp /bin/true su; chmod 6755 su; chattr +i payout.csv; true"),
]

LATE = [
    after_work(
        "a late writer in its own session", f"setsid sh -c 'sleep 1; echo x > payout.csv; sleep {LEFT_BEHIND}' &"
    ),
    after_work("a late writer under nohup", f"nohup sh -c 'sleep 1; echo x > payout.csv; sleep {LEFT_BEHIND}' &"),
    after_work(
        "a late writer, forked twice",
        py(
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
            "        time.sleep(1); open('payout.csv', 'w').write('x'); os.execvp('sleep', ['sleep', '4817'])\n    os._exit(0)"
        ),
    ),
    after_work(
        "a late writer at a time-out",
        sh(f"setsid sh -c 'sleep 2; echo x > payout.csv; sleep {LEFT_BEHIND}' & sleep {LEFT_BEHIND}", timeout=1),
        told=("timed out",),
    ),
    after_work(
        "a writer that survives signals",
        f"setsid sh -c 'trap \"echo x > payout.csv\" TERM HUP INT QUIT; while :; do sleep {LEFT_BEHIND}; done' &",
    ),
    after_work("a writer without end", "setsid sh -c 'while :; do date >> busy; done' &"),
    after_work(
        "a session in the background", sh(f"sleep 1; echo x > payout.csv; sleep {LEFT_BEHIND}", background=True)
    ),
]

ATTACKS = [
    Case("kills all it can", (HONEST, sh("sleep 60 & kill -9 -1"), sh("kill -9 1; pkill -9 ."))),
    after_work(
        "kills by number",
        py(
            "import os\nfor p in range(2, 70000):\n    try:\n        p != os.getpid() and os.kill(p, 9)\n    except OSError: pass"
        ),
    ),
    after_work(
        "moves the workspace away",
        "cd /root && mv .openclaw old; mkdir -p .openclaw/workspace; echo x > .openclaw/workspace/payout.csv",
    ),
    after_work(
        "overmounts", "mount -t tmpfs none . ; umount . ; unshare -rm mount -t tmpfs none . ; chroot / true; true"
    ),
    after_work(
        "takes process 1 over",
        py(
            "import ctypes\nprint(ctypes.CDLL(None).ptrace(16, 1, 0, 0))\n"
            "for n in ('mem', 'environ', 'fd', 'root', 'cwd', 'maps'):\n"
            "    try: print('OPENED', n, open('/proc/1/' + n, 'rb').read(9))\n    except OSError: pass"
        ),
        told=("-1",),
    ),
    Case(
        "writes where the system lies",
        (
            HONEST,
            ("write", {"path": "/etc/passwd", "content": "x"}),
            ("write", {"path": "/usr/bin/python3", "content": "x"}),
            ("write", {"path": "/run/sandbox/cat", "content": "x"}),
            ("write", {"path": "../../../../proc/1/mem", "content": "x"}),
            ("write", {"path": "/proc/sys/kernel/core_pattern", "content": "|/bin/sh"}),
            sh("echo max > /sys/fs/cgroup/pids.max; echo b > /proc/sysrq-trigger; echo 1000 > /proc/1/oom_score_adj"),
        ),
        told=("Permission denied",),
    ),
]

TALK = [
    after_work(
        "100 MB of output", "head -c 100000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero", told=("left out",)
    ),
    after_work("output that is no text", "head -c 300000 /dev/urandom; printf '\\377\\376\\355\\240\\200'"),
    after_work("terminal escapes", "printf '\\033]0;owned\\007\\033[2J\\033[31m\\r\\b\\x9b2J'"),
    Case(
        "lone surrogates in arguments",
        (
            HONEST,
            ("write", {"path": "x", "content": "\ud800"}),
            ("write", {"path": "\udcff", "content": "y"}),
            ("read", {"path": "\ud800"}),
            sh("echo '\ud800'"),
            sh("echo between"),
            ("edit", {"path": "rules.txt", "oldText": "\ud800", "newText": "\udfff"}),
            ("apply_patch", {"input": "*** Begin Patch\n*** Add File: \ud800\n+\udc00\n*** End Patch"}),
            ("process", {"action": "poll", "sessionId": "\ud800"}),
            sh("cat", env={"\ud800": "\udfff"}),
            "done \ud800",
        ),
        told=("half of a character",),
    ),
    Case(
        "NULs and odd paths in arguments",
        (
            HONEST,
            ("write", {"path": "a\0b", "content": "x"}),
            ("read", {"path": "/dev/zero"}),
            ("read", {"path": "/proc/self/mem"}),
            ("write", {"path": "/dev/full", "content": "x"}),
            ("write", {"path": "x" * 5000, "content": "x"}),
            ("write", {"path": "rules.txt/below", "content": "x"}),
            sh("echo \0"),
            sh("true", workdir="/nowhere"),
            sh("true", workdir="\0"),
        ),
        told=("NUL character",),
    ),
    Case(
        "numbers out of any range",
        (
            HONEST,
            sh("true", timeout=-1, yieldMs=-5),
            sh("true", timeout=1e308),
            sh("true", timeout=float("nan")),
            sh("true", yieldMs=float("nan")),
            sh("true", timeout=float("inf")),
            ("read", {"path": "rules.txt", "offset": -(10**30), "limit": 10**30}),
            sh("cat", background=True, timeout=-float("inf")),
            ("process", {"action": "poll", "sessionId": "s1", "timeout": float("nan")}),
            ("process", {"action": "log", "sessionId": "s1", "offset": -(10**30), "limit": -(10**30)}),
            ("process", {"action": "kill", "sessionId": "s1"}),
        ),
    ),
    Case(
        "calls that are none",
        (
            HONEST,
            ("nosuch", {}),
            ("read", {"pfad": 1}),
            ("read", {"path": {"a": ["b"]}}),
            ("write", {"path": "x", "content": None}),
            sh("true"),
            parse_error("exec"),
            [("exec", {"command": 7}), ("exec", {"command": "true", "env": [1]}), ("", {})],
            ("exec", {"command": "true", "sudo": True}),
        ),
    ),
    Case(
        "nothing but malformed calls after the work",
        (HONEST, *[("bash", {"cmd": "true"})] * 6),
        outcome="agent_failed",
        cause="malformed calls in 5 turns in a row",
    ),
    after_work("an argument of 2 MB", ("write", {"path": "big", "content": "\u00e9" * 1_000_000})),
    Case("a command of 1 MB", (HONEST, sh("echo " + "x" * 1_000_000)), told=("Argument list too long",)),
    Case(
        "arguments nested 200 deep",
        (HONEST, ("read", {"path": nested(200)}), ("exec", {"command": "true", "env": nested(200)})),
    ),
    Case("two hundred calls in one turn", (HONEST, [("read", {"path": "rules.txt"})] * 200)),
]

HONEST_ONLY = Case("honest", (HONEST,))
CASES = [*OUTPUTS, *INPUTS, HONEST_ONLY, *FLOODS, *LATE, *ATTACKS, *TALK]
