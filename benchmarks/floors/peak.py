"""Run a command; print its seconds and its peak of memory in bytes, as JSON.

    python peak.py COMMAND ...

The peak is the largest resident set of any one process that the command came to, not their sum. It
is taken here because a process inherits the peak of the one that started it, and this one is small.
"""

import json
import resource
import subprocess
import sys
import time

start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
seconds = time.perf_counter() - start
if done.returncode:
    sys.exit(done.stderr)
usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([seconds, usage * (1 if sys.platform == "darwin" else 1024)]))
