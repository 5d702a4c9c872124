"""Importers: tasks of other releases as task folders, each with a report of what they lack."""

from clawgym_data.importers.clawgym import import_clawgym
from clawgym_data.importers.loss import ImportedTask, ImportReport, Loss, LossCode, Severity, SkippedFolder

__all__ = ["ImportReport", "ImportedTask", "Loss", "LossCode", "Severity", "SkippedFolder", "import_clawgym"]
