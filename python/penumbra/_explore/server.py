"""The server of the page, only for this machine and for users who know the address."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import threading
import time
import typing

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from penumbra import _page
from penumbra._explore.cards import image_type
from penumbra._explore.export import export

if typing.TYPE_CHECKING:
    from penumbra._explore import Exploration

# Seconds: how long a request waits, between two checks, and until a page counts as closed.
_POLL, _PAUSE, _AWAY = 20, 0.01, 5
_HEADERS = [
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]
_REFUSALS = (ValueError, TypeError, LookupError, AttributeError, OSError)


def _guarded(app: ASGIApp, token: bytes) -> ASGIApp:
    """Accept only requests with the token, to a name of this machine, and not from other pages."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        hosts, origins = (
            [value for key, value in scope["headers"] if key == name]
            for name in (b"host", b"origin")
        )
        is_here = [host.partition(b":")[0] for host in hosts] in ([b"127.0.0.1"], [b"localhost"])
        is_ours = is_here and all(origin == b"http://" + hosts[0] for origin in origins)
        _, given, *path = scope["path"].split("/", 2)
        if path and is_ours and secrets.compare_digest(given.encode(), token):
            await app(dict(scope, path=f"/{path[0]}"), receive, send)
        else:
            await Response(status_code=403)(scope, receive, send)

    return guarded


class Server:
    """Serves the page of an exploration, in a thread."""

    def __init__(self, explored: Exploration) -> None:
        self.explored = explored
        self._asking, self._seen = 0, 0.0  # waiting requests; when the last one ended
        cards, journal, token = explored.cards, explored.journal, secrets.token_urlsafe(16)

        def numbered(path: str, answer: typing.Callable[[int], Response]) -> Route:
            return Route(f"/{path}/{{i:int}}", lambda asked: answer(asked.path_params["i"]))

        # in a thread, because close waits for this response
        end = BackgroundTask(lambda: threading.Thread(target=explored.close).start())
        routes = [
            Route("/", lambda _: HTMLResponse(_page_of(explored))),
            Route("/next", self._next),
            numbered("row", lambda i: JSONResponse(cards.card(i, journal.known.labelled(i)))),
            numbered("image", lambda i: _file(cards.image(i))),
            numbered("column", lambda i: _file(cards.column(i))),
            Route("/search", lambda asked: _file(cards.search(asked.query_params.get("text", "")))),
            Route("/do", self._do, methods=["POST"]),
            Route("/export", lambda _: JSONResponse(export(explored)), methods=["POST"]),
            Route("/end", lambda _: JSONResponse({}, background=end), methods=["POST"]),
        ]
        app = Starlette(routes=routes, exception_handlers=dict.fromkeys(_REFUSALS, _refused))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(
            _guarded(app, token.encode()),
            log_config=None,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            headers=_HEADERS,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        run = self._server.run
        self._thread = threading.Thread(target=run, args=([self._socket],), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer pending requests, and stop."""
        self._server.should_exit = True
        self._thread.join(5)
        self._socket.close()

    @property
    def is_left(self) -> bool:
        """Whether a page was open and has been closed."""
        return bool(self._seen) and not self._asking and time.monotonic() - self._seen > _AWAY

    async def _do(self, asked: Request) -> Response:
        change = await run_in_threadpool(self.explored.journal.do, await asked.json())
        self.explored.worker.wake()
        return JSONResponse({"change": change})

    async def _next(self, asked: Request) -> Response:
        """Wait for a change after the version that the page has, and return it."""
        told, text = self.explored.worker, asked.query_params.get("have", "")
        have, end = int(text) if text.isdecimal() else 0, time.monotonic() + _POLL
        self._asking += 1
        try:
            while told.version <= have and not told.ended and time.monotonic() < end:
                await asyncio.sleep(_PAUSE)
                if await asked.is_disconnected():
                    break
            return _file(told.packed(have)) if told.version > have else Response(status_code=204)
        finally:
            self._asking, self._seen = self._asking - 1, time.monotonic()


def _page_of(explored: Exploration) -> str:
    cards, data = explored.cards, explored.data
    told = {"rows": cards.values.shape[0], "columns": cards.columns, "names": cards.names}
    told |= {"source": os.path.basename(data[0]) if data else None, "show": cards.kind}
    return _page.page("explore", None, **told, folder=explored.folder)


def _file(data: bytes | None) -> Response:
    """Respond with bytes; images get their type."""
    kind = image_type(data or b"") or "application/octet-stream"
    return Response(data, 404 if data is None else 200, media_type=kind)


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_code=409)
