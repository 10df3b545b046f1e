"""What all tests share: how hypothesis looks for examples.

By default it looks for the same ones each time, however slow the machine; with the environment's
HYPOTHESIS_PROFILE=search it looks for new ones.
"""

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
