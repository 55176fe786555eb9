"""Types the Python of a page of the documentation, and compares what it prints.

    page.py PAGE

Lets "..." stand for anything, as the page does.
"""

import doctest
import re
import sys
from pathlib import Path

page = Path(sys.argv[1])
blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
print(f"{page.name}: {result.attempted} typed, {result.failed} with another answer")
sys.exit(result.failed > 0 or result.attempted < 20)
