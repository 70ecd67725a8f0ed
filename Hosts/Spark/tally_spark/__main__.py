"""`python -m tally_spark`, where the package is not installed."""

import sys

from tally_spark.command import main

sys.exit(main())
