"""Prices: tariff.ini has a section for each day on which they changed."""

from configparser import ConfigParser
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from kilnshare.clock import night_share
from kilnshare.meter import used


@dataclass(frozen=True)
class Prices:
    """Pence for a kWh, VAT in per cent, and the night as two distances from midnight."""

    day: Fraction
    night: Fraction
    element: Fraction
    vat: Fraction
    window: tuple


def distance(clock):
    hours, minutes = clock.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))


def load(path):
    """The prices by the heading of their section."""
    parser = ConfigParser()
    parser.read(path, encoding="utf-8")
    prices = {}
    for heading in parser.sections():
        section = parser[heading]
        figures = [Fraction(section[name]) for name in ("day", "night", "element", "vat")]
        window = tuple(distance(clock.strip()) for clock in section["hours"].split("-"))
        prices[heading] = Prices(*figures, window)
    return prices


def in_force(prices, day):
    """The prices in force on `day`: those of the latest change."""
    changes = [heading for heading in prices if heading <= day.isoformat()]
    return prices[max(changes)]


def half_up(amount):
    return int(amount + Fraction(1, 2))


def night_units(firing, prices):
    """The units of a firing that fall into the night, in tenths of a kWh."""
    return used(firing.before, firing.after) * night_share(firing.start, firing.end, prices.window)


def cost(firing, prices):
    """The whole pence of a firing: VAT falls on the electricity, not on the wear of the elements."""
    units = Fraction(used(firing.before, firing.after), 10)
    by_night = night_units(firing, prices) / 10
    electricity = (units - by_night) * prices.day + by_night * prices.night
    return half_up(electricity * (1 + prices.vat / 100) + units * prices.element)
