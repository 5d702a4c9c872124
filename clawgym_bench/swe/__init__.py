"""Agents of the package `inspect-swe` (Claude Code, Codex CLI, ...): programs with a loop of their own, as trials of ours."""
