# SPDX-License-Identifier: MIT
"""Medians and what they are worth."""

import math
import statistics


def median(samples):
    return statistics.median(samples)


def as_shown(value):
    """Rounded to the three digits that such a measurement is worth, and that tables show."""
    if value == 0:
        return 0.0
    return round(value, 2 - math.floor(math.log10(abs(value))))


def interval(samples):
    """(low, high, kind): the order-statistic interval of the median that holds with at least 95 %
    for independent samples ("95 %"), or the range where there are too few for it ("range")."""
    ordered = sorted(samples)
    count = len(ordered)
    outside = 0.0
    cut = 0
    while cut < count // 2:
        outside += 2 * math.comb(count, cut) / 2**count
        if outside > 0.05:
            break
        cut += 1
    if cut == 0:
        return ordered[0], ordered[-1], "range"
    return ordered[cut - 1], ordered[count - cut], "95 %"
