"""Runs a notebook and compares its outputs with those that are in it.

    notebook.py NOTEBOOK

With GRAPHMETA_WRITE set in the environment the outputs are written into it instead.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CELL_SECONDS = 120


def outputs(notebook):
    """What each cell shows, without what differs from run to run."""
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.pop("execution_count", None)
        shown.append((cell.source, cell.get("outputs", [])))
    return shown


def cleaned(notebook):
    """Without counts, times and the version of the kernel."""
    for cell in notebook.cells:
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = None
    notebook.metadata.clear()
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata.language_info = {"name": "python"}
    return notebook


file = Path(sys.argv[1])
stored = nbformat.read(file, as_version=4)
ran = nbformat.read(file, as_version=4)
NotebookClient(ran, timeout=CELL_SECONDS, kernel_name="python3").execute()
if os.environ.get("GRAPHMETA_WRITE"):
    nbformat.write(cleaned(ran), file)
    print(f"{file.name}: outputs written")
    sys.exit(0)
differing = [
    (source, was, now) for (source, was), (_, now) in zip(outputs(stored), outputs(ran), strict=True) if was != now
]
for source, was, now in differing:
    print(f"The cell\n{source}\nshows\n{now}\nand not\n{was}\nGRAPHMETA_WRITE=true writes the outputs anew")
print(f"{file.name}: {len(ran.cells)} cells, {len(differing)} with another output")
sys.exit(bool(differing))
