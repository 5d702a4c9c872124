"""How OpenClaw is set up for a trial: its configuration files, its variables, its command."""

import json
import re
from typing import Any, Literal, get_args

from clawgym_bench.endpoint.replies import MODEL

Profile = Literal["compact", "full"]
PROFILES: tuple[Profile, ...] = get_args(Profile)
DEFAULT_PROFILE: Profile = "compact"
INSTALLED = "/usr/local/lib/openclaw"
"""In the sandbox; `clawgym bench image build` puts it there."""
PACKAGE = f"{INSTALLED}/node_modules/openclaw/package.json"
PORT = 18790
"""On the sandbox's loopback address, where the model answers."""
GATEWAY_PORT = 18789
SESSION = "trial"
PROVIDER = "clawgym"
MIN_WINDOW_TOKENS = 16_000
"""OpenClaw refuses models that take less. With a smaller one the endpoint says where a conversation is too long."""
MAX_TOKENS = 16_384
"""Of an answer, as OpenClaw plans with; how long one may really be is the run's setting."""
FOR_EVER_SEC = 7 * 24 * 3600
"""OpenClaw's own limit of time; the trial's limits end it long before."""
COMPACT_TOOLS = ("read", "write", "edit", "exec", "process")
NOT_HERE = (
    *("group:web", "group:ui", "group:messaging", "group:nodes", "group:automation"),
    *("browser", "canvas", "message", "nodes", "cron", "gateway", "tts", "image", "image_generate", "pdf"),
    *("memory_search", "memory_get"),
)
"""Tools that need a network, a device, a channel or a model of their own."""
NEW_KEYS = (2026, 6)
"""From here on the configuration has the keys of 2026.9; before it those of 2026.4."""
_GATEWAY = """\
openclaw gateway run >"$HOME/gateway.log" 2>&1 &
gateway=$!
until (: </dev/tcp/127.0.0.1/$0) 2>/dev/null; do
  kill -0 $gateway 2>/dev/null || { tail -n 5 "$HOME/gateway.log" >&2; exit 70; }
  sleep 0.2
done
"$@"
code=$?
wait $gateway
exit $code
"""
"""In bash: the gateway, which alone runs sub-agents, the agent beside it, and then whatever sub-agents still do."""
_APPROVALS = {"version": 1, "defaults": {"security": "full", "ask": "off", "askFallback": "full"}, "agents": {}}
_SKIPPED = (
    *("OPENCLAW_SKIP_CHANNELS", "OPENCLAW_SKIP_CRON", "OPENCLAW_SKIP_CANVAS_HOST", "OPENCLAW_SKIP_GMAIL_WATCHER"),
    "OPENCLAW_DISABLE_BONJOUR",
)
"""What a gateway would start beside the agent."""
_NOTHING = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}


def configuration(version: str, profile: Profile, workspace: str, window_tokens: int) -> dict[str, Any]:
    """What `openclaw.json` holds: the model behind the port, and nothing that needs a network or a person.

    Args:
        version: OpenClaw's, such as `2026.4.1`.
        profile: which tools the model is offered.
        workspace: folder of the task, in the sandbox.
        window_tokens: what the model takes; OpenClaw makes longer conversations shorter.
    """
    window_tokens = max(window_tokens, MIN_WINDOW_TOKENS)
    model = {
        "id": MODEL,
        "name": MODEL,
        "reasoning": False,
        "input": ["text"],
        "cost": _NOTHING,
        "contextWindow": window_tokens,
        "maxTokens": min(MAX_TOKENS, window_tokens // 4),
    }
    provider: dict[str, Any] = {
        "baseUrl": f"http://127.0.0.1:{PORT}/v1",
        "apiKey": "none",
        "api": "openai-completions",
        "models": [model],
    }
    name = f"{PROVIDER}/{MODEL}"
    defaults: dict[str, Any] = {
        "workspace": workspace,
        "skipBootstrap": True,
        "model": {"primary": name},
        "timeoutSeconds": FOR_EVER_SEC,
        "heartbeat": {"every": "0m"},
        "sandbox": {"mode": "off"},
        "compaction": {"memoryFlush": {"enabled": False}},
    }
    settings: dict[str, Any] = {
        "update": {"checkOnStart": False},
        "agents": {"defaults": defaults},
        "tools": {
            **_tools(profile),
            "exec": {"host": "gateway", "security": "full", "ask": "off"},
            "web": {"search": {"enabled": False}, "fetch": {"enabled": False}},
        },
        "plugins": {"enabled": False},
        "skills": {"allowBundled": ["none"]},
        "browser": {"enabled": False},
        "discovery": {"mdns": {"mode": "off"}},
        "models": {"mode": "replace", "providers": {PROVIDER: provider}},
    }
    if profile == "full":
        auth = {"mode": "token", "token": "of-this-sandbox"}
        settings["gateway"] = {"mode": "local", "port": GATEWAY_PORT, "bind": "loopback", "auth": auth}
    if _is_older(version):
        defaults |= {"models": {name: {}}, "llm": {"idleTimeoutSeconds": 0}, "memorySearch": {"enabled": False}}
    else:
        provider["timeoutSeconds"] = FOR_EVER_SEC
        settings["memory"] = {"search": {"enabled": False}}
        settings["tools"]["toolSearch"] = False
    return settings


def _is_older(version: str) -> bool:
    """Whether a version has the keys that were moved in the course of 2026."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < NEW_KEYS


def _tools(profile: Profile) -> dict[str, Any]:
    if profile == "compact":
        return {"allow": list(COMPACT_TOOLS), "deny": ["apply_patch"]}
    return {"profile": "full", "deny": list(NOT_HERE)}


def setup_files(version: str, profile: Profile, workspace: str, window_tokens: int) -> dict[str, str]:
    """Path in the home folder -> content, of what is written before OpenClaw starts."""
    settings = json.dumps(configuration(version, profile, workspace, window_tokens), indent=1)
    if not _is_older(version):
        return {".openclaw/openclaw.json": settings}
    return {".openclaw/openclaw.json": settings, ".openclaw/exec-approvals.json": json.dumps(_APPROVALS)}


def variables(home: str) -> dict[str, str]:
    """Environment variables of OpenClaw's process."""
    return {
        "HOME": home,
        "OPENCLAW_HOME": home,
        "NO_COLOR": "1",
        "OPENCLAW_NO_RESPAWN": "1",
        "OPENCLAW_HIDE_BANNER": "1",
        "OPENCLAW_BUNDLED_PLUGINS_DIR": f"{INSTALLED}/no-plugins",
        "NODE_COMPILE_CACHE": f"{INSTALLED}/compile-cache",
        **dict.fromkeys(_SKIPPED, "1"),
    }


def command(message: str, profile: Profile) -> list[str]:
    """What is started: one turn of the agent, with a report at its end.

    Args:
        message: what the agent is told.
        profile: with `compact` the agent runs by itself; with `full` behind a gateway, which goes on after the report.
    """
    agent = ["openclaw", "agent", "--json", "--timeout", str(FOR_EVER_SEC), "--message", message]
    if profile == "compact":
        return [*agent, "--local", "--session-id", SESSION]
    return ["/bin/bash", "-c", _GATEWAY, str(GATEWAY_PORT), *agent, "--agent", "main"]
