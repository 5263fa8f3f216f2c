"""A client of language servers: a file is opened, and what an editor would show of it is asked for."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

_PATIENCE = 60
"""Seconds for one answer."""


class Shown(NamedTuple):
    """What a server finds wrong: where, by 0-based lines, and in which words."""

    line: int
    message: str


class LanguageServer:
    """A server on stdio, with a folder as its workspace."""

    def __init__(self, command: Sequence[str], folder: Path, settings: Any) -> None:
        self.settings = settings
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._inbox: queue.Queue[Any] = queue.Queue()
        self._found: dict[str, list[Shown]] = {}
        self._number = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        place = folder.as_uri()
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {
                "publishDiagnostics": {},
                "hover": {"contentFormat": ["markdown"]},
                "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
            },
        }
        self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": place,
                "workspaceFolders": [{"uri": place, "name": "project"}],
                "capabilities": capabilities,
                "initializationOptions": {"handledSchemaProtocols": ["file"]},
            },
        )
        self._tell("initialized", {})
        self._tell("workspace/didChangeConfiguration", {"settings": settings})

    def open(self, path: Path, language: str) -> list[Shown]:
        """Open a file in which something is wrong; what the server finds."""
        uri = path.as_uri()
        text = path.read_text(encoding="utf-8")
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": item})
        # An empty list may be of the syntax alone.
        while not self._found.get(uri):
            self._take()
        return self._found[uri]

    def hover(self, path: Path, line: int, column: int) -> str:
        """The text that is shown of what stands at a place."""
        answer = self.ask("textDocument/hover", self._place(path, line, column))
        contents = (answer or {}).get("contents", "")
        if isinstance(contents, list):
            contents = "\n".join(one if isinstance(one, str) else one["value"] for one in contents)
        return contents["value"] if isinstance(contents, dict) else str(contents)

    def complete(self, path: Path, line: int, column: int) -> list[str]:
        """The labels of what is offered at a place."""
        answer = self.ask("textDocument/completion", self._place(path, line, column))
        items = answer["items"] if isinstance(answer, dict) else answer or []
        return [item["label"] for item in items]

    def close(self) -> None:
        self._process.kill()
        self._reader.join()
        with self._process:  # closes its pipes
            pass

    @staticmethod
    def _place(path: Path, line: int, column: int) -> dict[str, Any]:
        position = {"line": line, "character": column}
        return {"textDocument": {"uri": path.as_uri()}, "position": position}

    def ask(self, method: str, params: Any) -> Any:
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _take(self) -> Any:
        """The next message; what the server asks is answered, what it publishes is noted."""
        message = self._inbox.get(timeout=_PATIENCE)
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            found = message["params"]
            self._found[found["uri"]] = [
                Shown(one["range"]["start"]["line"], one["message"]) for one in found["diagnostics"]
            ]
        elif method and "id" in message:
            result: Any = None
            if method == "workspace/configuration":
                result = [self._setting(item) for item in message["params"]["items"]]
            elif method == "workspace/workspaceFolders":
                result = []
            self._send({"id": message["id"], "result": result})
        return message

    def _setting(self, item: dict[str, Any]) -> Any:
        value = self.settings
        for part in item.get("section", "").split("."):
            value = value.get(part) if part and isinstance(value, dict) else value
        return value

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
                line = stream.readline()
            self._inbox.put(json.loads(stream.read(length)))
