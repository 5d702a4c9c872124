"""A judge's votes: asked one by one, retried within bounds, and told apart from a text that jams the judge."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from inspect_ai.log._transcript import Transcript, _transcript
from inspect_ai.model import CachePolicy, GenerateConfig, Model, ModelOutput
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import ModelGenerateError
from inspect_ai.util import LimitExceededError

from clawgym_bench.judge.prompt import judge_messages, level_names
from clawgym_bench.judge.reply import Reply, read_reply, response_schema
from clawgym_data.grading.rubric import CriterionResult, JudgeVote, criterion_result
from clawgym_data.spec.rubric import Criterion

VOTES = 3
"""Odd, so that their median is a declared level."""
ATTEMPTS = 3
"""Replies to one vote before it counts as unusable."""
ATTEMPT_LIMIT_SEC, CALL_LIMIT_SEC = 120, 300
"""Of one request and of one call with Inspect's own retries of it, unless the role's configuration says otherwise."""

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one round of attempts gave: a usable reply, or only unusable ones."""

    reply: Reply | None
    unusable: tuple[str, ...]


class Judge:
    """A model that names levels."""

    def __init__(self, model: Model, votes: int = VOTES) -> None:
        if votes % 2 == 0:
            raise ValueError(f"{votes} votes; expected an odd number")
        self.model = model
        self.votes = votes
        self._structured = True
        """False once the provider has refused the schema and answered without it."""

    async def criterion(self, criterion: Criterion, files: Files, known_good: Files | None = None) -> CriterionResult:
        """Judge one criterion: the median of the votes, which stop as soon as a majority agrees.

        Args:
            criterion: the quality.
            files: path -> text, only those that the criterion names.
            known_good: the same files with the labelled good text; it is asked about where every reply about `files` was
                unusable, to find whose doing that is. None: an unusable vote is undecided.
        """
        votes: list[JudgeVote] = []
        for index in range(self.votes):
            votes.append(await self._vote(criterion, files, known_good, index))
            if votes[-1].level is None or _majority(votes, self.votes):
                break
        return criterion_result(criterion.id, criterion.weight, votes)

    async def _vote(self, criterion: Criterion, files: Files, known_good: Files | None, index: int) -> JudgeVote:
        asked = await self._ask(criterion, files, index, first=0)
        if asked.reply is None and known_good is not None:
            with _unlogged():
                control = await self._ask(criterion, known_good, index, first=0, fresh=True)
            if control.reply is not None:
                # An outage may have ended between the two: only a text that fails on both sides of a success jams.
                again = await self._ask(criterion, files, index, first=ATTEMPTS, fresh=True)
                asked = Asked(again.reply, asked.unusable + again.unusable)
                if asked.reply is None:
                    reason = "the judge answers about other text, but gave no usable reply about this one"
                    return JudgeVote(level=0.0, reason=reason, unusable=asked.unusable)
        if asked.reply is None or asked.reply.level is None:
            return JudgeVote(level=None, reason="the judge gave no usable reply", unusable=asked.unusable)
        level = criterion.levels[asked.reply.level].score
        return JudgeVote(level=level, reason=asked.reply.reason, unusable=asked.unusable)

    async def _ask(self, criterion: Criterion, files: Files, vote: int, first: int, fresh: bool = False) -> Asked:
        """Ask until a reply is usable, at most `ATTEMPTS` times.

        Args:
            criterion: the quality.
            files: path -> text.
            vote: index of the vote, part of the key of Inspect's cache like the attempt's.
            first: number of the first attempt.
            fresh: never from the cache, which would hide an outage.
        """
        unusable: list[str] = []
        fault = ""
        names = level_names(criterion)
        for attempt in range(first, first + ATTEMPTS):
            cache = False if fresh else self._cache(vote, attempt)
            output = await self._generate(criterion, files, fault, cache)
            if isinstance(output, str):
                # Inspect has retried what can be retried.
                return Asked(None, (*unusable, output))
            reply = read_reply(output, names)
            if reply.level is not None:
                return Asked(reply, tuple(unusable))
            fault = reply.fault
            unusable.append(f"{fault}: {reply.shown}" if reply.shown else fault)
        return Asked(None, tuple(unusable))

    async def _generate(
        self, criterion: Criterion, files: Files, fault: str, cache: bool | CachePolicy
    ) -> ModelOutput | str:
        """One call; the name of the error where there is no reply. Its message can hold the whole request, and stays out."""
        messages = judge_messages(criterion, files, fault)
        config = self._limits()
        failure = ""
        for schema in (True, False) if self._structured else (False,):
            form = response_schema(level_names(criterion)) if schema else None
            try:
                output = await self.model.generate(
                    messages, config=config.merge(GenerateConfig(response_schema=form)), cache=cache
                )
            except LimitExceededError:
                raise
            except Exception as error:  # providers raise errors of their own kinds
                failure = f"the call failed: {type(error).__name__}"
                if not _may_be_the_schema(error):
                    break
                continue
            if failure:
                self._structured = False
            return output
        return failure

    def _limits(self) -> GenerateConfig:
        own, run = self.model.config, active_generate_config()
        return GenerateConfig(
            attempt_timeout=own.attempt_timeout or ATTEMPT_LIMIT_SEC,
            timeout=own.timeout or run.timeout or CALL_LIMIT_SEC,
        )

    def _cache(self, vote: int, attempt: int) -> bool | CachePolicy:
        """Inspect's cache where the run or the role uses it; no vote and no attempt is served with another's reply."""
        wanted = active_generate_config().cache or self.model.config.cache
        if not wanted:
            return False
        policy = wanted if isinstance(wanted, CachePolicy) else CachePolicy()
        scopes = policy.scopes | {"vote": str(vote), "attempt": str(attempt)}
        return policy.model_copy(update={"scopes": scopes})


def _may_be_the_schema(error: Exception) -> bool:
    """Whether the provider refused the request as such, as one does that knows no schemas."""
    return isinstance(error, ModelGenerateError) and error.status_code in (400, 404, 415, 422, 501)


def _majority(votes: list[JudgeVote], planned: int) -> bool:
    levels = [vote.level for vote in votes]
    return max(levels.count(level) for level in levels) > planned // 2


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep what is asked about a labelled text out of the log, which may be published: the text can hold the answers."""
    token = _transcript.set(Transcript())
    try:
        yield
    finally:
        _transcript.reset(token)
