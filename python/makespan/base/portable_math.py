# SPDX-License-Identifier: Apache-2.0
"""Elementary functions of arrays with the same bits on every processor of x86-64.

NumPy's own have several versions, which differ in last bits: with AVX-512 it takes vector code, and
the C library without. In extended precision there is one, which is rounded once more at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]


def exp(x: Values) -> Values:
    """E to the power of each number."""
    import numpy as np

    return np.exp(x.astype(np.longdouble)).astype(np.float64)


def expm1(x: Values) -> Values:
    """The same less 1, also where that is small."""
    import numpy as np

    return np.expm1(x.astype(np.longdouble)).astype(np.float64)


def cos(x: Values) -> Values:
    """The cosine of each number, in radians."""
    import numpy as np

    return np.cos(x.astype(np.longdouble)).astype(np.float64)


def power(x: Values, exponent: float) -> Values:
    """Each number to the same power."""
    import numpy as np

    return np.power(x.astype(np.longdouble), np.longdouble(exponent)).astype(np.float64)
