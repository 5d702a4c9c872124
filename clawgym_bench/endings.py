"""How an attempt can end other than by an answer: raised where it is noticed, recorded by `attempt`."""


class AgentFailed(Exception):  # noqa: N818 - names an ending
    """The agent brought its attempt to an end by its own doing; the workspace is graded as it stands."""


class LimitReached(Exception):  # noqa: N818 - names an ending
    """The agent used up something it has only so much of; the workspace is graded as it stands.

    Args:
        kind: what was used up.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(f"limit: {kind}")


class InfraFailed(Exception):  # noqa: N818 - names an ending
    """Something that is not the agent failed: a provider, the sandbox's host, this software."""
