"""Writes the stores of tests/fixtures/corpus, one folder per agent: python3 tests/corpus/make

Run it after a change, and commit what it wrote. The result depends on nothing but these files (and on the version of
SQLite, for the two databases). What the readers must find in it is in EXPECTED.json beside the stores. That file is
written by hand, from the meaning of each record and not from what Holdfast prints.
"""
import shutil
import sys

sys.dont_write_bytecode = True

import claude_code
import codex
import common
import continue_dev
import copilot
import gemini
import openclaw
import opencode
import pi
import qwen

for store in common.CORPUS.iterdir():
    if store.is_dir():
        shutil.rmtree(store)
for agent in (claude_code, codex, gemini, opencode, qwen, pi, copilot, continue_dev, openclaw):
    agent.main()
