"""Decode a pumpevents answer with tconnectsync 2.x, as its API client does, and nothing more."""
import json
import sys
from importlib.metadata import version
from time import process_time

from tconnectsync.eventparser.generic import Events, decode_raw_events

with open(sys.argv[1]) as file:
    text = json.load(file)
start = process_time()
count = 0
for event in Events(decode_raw_events(text)):
    count += 1
cpu = process_time() - start
print(json.dumps({"events": count, "cpu": cpu, "version": version("tconnectsync")}))
