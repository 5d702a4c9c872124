"""How the cost of a firing is shared."""


def split(pence, pots):
    """The whole pence of everyone on the line, by shelves.

    `pots` are pairs of initials and shelves in the order of the line; so is what comes back.
    """
    total = sum(amount for _, amount in pots)
    return {who: round(pence * amount / total) for who, amount in pots}
