"""The kinds of checks: one small module a subject, one line a kind in this union."""

from typing import Annotated

from pydantic import Field

from clawgym_data.checks.balance import ParagraphBalance
from clawgym_data.checks.base import CheckBase, Finding, Role
from clawgym_data.checks.calls import Calls
from clawgym_data.checks.command import Command
from clawgym_data.checks.edit import EditedText, LinesKept
from clawgym_data.checks.executed import Executed
from clawgym_data.checks.files import FileAbsent, FileExists, FilesPlaced, InputsUnchanged, OnlyOutputs
from clawgym_data.checks.kills import KillsMutants
from clawgym_data.checks.property import Property
from clawgym_data.checks.python import Python
from clawgym_data.checks.table import TableBalances, TableKeys, TableOrder, TableReadable, TableRows
from clawgym_data.checks.text import LabelledDate, LabelledFigure, LabelledText, TextIncludes, TextWords
from clawgym_data.checks.tree import TreeReadable, TreeRows, TreeUnchanged, TreeValue, TreeValues
from clawgym_data.formats.unreadable import Unreadable

Check = Annotated[
    TableReadable
    | TableKeys
    | TableRows
    | TableOrder
    | TableBalances
    | TreeReadable
    | TreeRows
    | TreeValue
    | TreeValues
    | TreeUnchanged
    | TextWords
    | TextIncludes
    | LabelledFigure
    | LabelledDate
    | LabelledText
    | ParagraphBalance
    | EditedText
    | LinesKept
    | FileExists
    | FileAbsent
    | FilesPlaced
    | InputsUnchanged
    | OnlyOutputs
    | Command
    | Calls
    | Property
    | KillsMutants
    | Python,
    Field(discriminator="kind"),
]

__all__ = ["Check", "CheckBase", "Command", "Executed", "Finding", "Property", "Python", "Role", "Unreadable"]
