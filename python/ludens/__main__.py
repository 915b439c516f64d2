"""`python -m ludens` is the command `ludens`."""

import sys

from ._program import main

sys.exit(main())
