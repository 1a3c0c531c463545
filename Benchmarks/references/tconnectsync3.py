"""Load a pump-logs answer and decode it with tconnectsync 3.x, as its API client does."""
import json
import sys
from importlib.metadata import version
from time import process_time

from tconnectsync.eventparser.generic import Events

with open(sys.argv[1], "rb") as file:
    content = file.read()
start = process_time()
answer = json.loads(content)
count = 0
for part in ("events", "clockChanges"):
    for event in Events(answer[part]):
        count += 1
cpu = process_time() - start
print(json.dumps({"events": count, "cpu": cpu, "version": version("tconnectsync")}))
