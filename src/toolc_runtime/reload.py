"""Bringing a running server up to what stands on the disk: its tools, and the code behind them."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from toolc_runtime.application import Application
from toolc_runtime.control import Control
from toolc_runtime.package import Package, PackageError, load_code
from toolc_runtime.server import Catalog, LiveCatalog
from toolc_runtime.tool import count_failed, count_tools

_FOREIGN = frozenset({"site-packages", "dist-packages"})
"""Folders of installed packages; a virtual environment may lie in the project's folder."""


_SETTLED = 2.0
"""Seconds after which a file can no longer change without another time; some systems count in twos."""

_Mark = tuple[int, int, int, int]
"""A file's times of content and of anything about it in ns, its size and its inode."""


class Reloader:
    """Loads a package anew whenever its control asks, and swaps what is served for it.

    Its code is imported anew if the file of any of its modules is another: most changes of a
    definition change none, and a thousand imports take seconds. Where loading fails, what was served
    before is served on. A handler that cannot be imported is a failure too, unless it could not be
    before either.
    """

    def __init__(
        self,
        read: Callable[[Package | None], Package],
        package: Package,
        live: LiveCatalog,
        control: Control,
        application: Application,
        *,
        is_loaded: bool,
    ) -> None:
        """`read` gives the package as it is on the disk, with what it can use of the one before;
        `package` is what `live` begins with, and `is_loaded` says that its code has been imported.
        """
        self._read = read
        self._root = Path.cwd()
        self._package = package
        self._live = live
        self._control = control
        self._application = application
        self._is_loaded = is_loaded
        self._begun = time.time()
        self._marks: dict[str, _Mark | None] = {}
        """Of the files of the modules that are loaded; None where one may have changed meanwhile."""

    def start(self) -> None:
        """Follow the control from now on, in a thread that does not keep the process alive.

        Such a thread, as the import of a handler may never return.
        """
        threading.Thread(target=self._follow, name="toolc-reload", daemon=True).start()

    def _follow(self) -> None:
        if not self._is_loaded:
            # All of it, before the files change: old definitions must not meet new code.
            self._begun = time.time()
            load_code(self._package)
        self._mark(self._modules(self._package))
        while True:
            self._control.wait()
            try:
                package, catalog = self._load()
            except Exception as error:  # whatever is wrong on the disk, the next reload may mend it
                said = f"not reloaded, the tools from before are served on: {error}"
            else:
                self._package = package
                self._live.swap(catalog)
                said = f"reloaded · {count_tools(len(self._live.now.tools))}"
            sys.stderr.write(f"{self._package.facts.name}: {said}\n")
            self._live.now.prepare()

    def _load(self) -> tuple[Package, Catalog]:
        """The package as it is now, with all its code; PackageError where it is not to be served."""
        has_changed = self._have_changed(self._modules(self._package))
        package = self._read(None if has_changed else self._package)
        catalog = Catalog.of(package)
        tops = {name.partition(".")[0] for name in (*self._package.modules, *package.modules)}
        taken = own_modules(tops, self._root)
        if has_changed:
            take_out(tops, self._root)
            self._marks = {}
            self._begun = time.time()
        try:
            failed = load_code(package)
            dead = {tool.name for tool in self._package.tools if not tool.is_loaded}
            if not dead.issuperset(failed):
                raise PackageError(count_failed(failed, len(package.tools)))
            tools = self._application.adapt_from_thread(package.tools)
        except BaseException:
            take_out(tops, self._root)
            put_back(taken)
            self._marks = {}
            raise
        self._mark(own_modules(tops, self._root))
        return package, catalog.with_tools(tools)

    def _have_changed(self, modules: Mapping[str, ModuleType]) -> bool:
        """Whether any of these modules might be another if it was imported now."""
        return any(
            (mark := self._marks.get(name)) is None or mark != _mark_of(str(module.__file__))
            for name, module in modules.items()
        )

    def _mark(self, modules: Mapping[str, ModuleType]) -> None:
        """Remember the files of modules that have been imported since `_begun`."""
        for name, module in modules.items():
            if name not in self._marks:
                mark = _mark_of(str(module.__file__))
                is_settled = mark is not None and max(mark[:2]) < (self._begun - _SETTLED) * 1e9
                self._marks[name] = mark if is_settled else None

    def _modules(self, package: Package) -> dict[str, ModuleType]:
        return own_modules({name.partition(".")[0] for name in package.modules}, self._root)


def own_modules(tops: Iterable[str], root: Path) -> dict[str, ModuleType]:
    """The modules in the top-level packages `tops` whose files lie in the folder `root`, except where
    other people's packages are installed."""
    wanted, real_root = frozenset(tops), root.resolve()
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in wanted and _is_own(module, real_root)
    }


def take_out(tops: Iterable[str], root: Path) -> dict[str, ModuleType]:
    """Have Python forget `own_modules`, so that the next import reads their files; what it forgot."""
    taken = own_modules(tops, root)
    for name in taken:
        del sys.modules[name]
    for name, module in taken.items():
        # `from package import module` looks at the package first, and a package that has no file
        # of its own stays.
        package, child = _holder(name)
        if package is not None and getattr(package, child, None) is module:
            delattr(package, child)
    return taken


def put_back(taken: Mapping[str, ModuleType]) -> None:
    """Undo `take_out`."""
    sys.modules.update(taken)
    for name, module in taken.items():
        package, child = _holder(name)
        if package is not None:
            setattr(package, child, module)


def _holder(name: str) -> tuple[ModuleType | None, str]:
    """The package that a module is an attribute of, if it is imported, and the attribute."""
    package, _, child = name.rpartition(".")
    return sys.modules.get(package), child


def _is_own(module: ModuleType, root: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and _lies_in(file, root)


@cache
def _lies_in(file: str, root: Path) -> bool:
    path = Path(file).resolve()
    return path.is_relative_to(root) and _FOREIGN.isdisjoint(path.relative_to(root).parts)


def _mark_of(file: str) -> _Mark | None:
    """None for a file that is not there."""
    try:
        held = os.stat(file)
    except OSError:
        return None
    return held.st_mtime_ns, held.st_ctime_ns, held.st_size, held.st_ino
