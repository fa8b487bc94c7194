"""The server of the page: on this machine only, for who knows its address."""

from __future__ import annotations

import secrets
import socket
import threading
import time
import typing

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from penumbra import _page
from penumbra._native import Error

if typing.TYPE_CHECKING:
    from penumbra._explore import Exploration

_POLL, _AWAY = 20, 5  # seconds that a question waits; after which a page counts as closed
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_Handler = typing.Callable[[Request], typing.Awaitable[Response]]


class _Guard:
    """Answers who has the token, asks by a name of this machine, and comes from no other page."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = [(k, v.decode("latin-1")) for k, v in scope["headers"]]
        (host, *others), origins = (
            [v for k, v in asked if k == b"host"] or [""],
            [v for k, v in asked if k == b"origin"],
        )
        _, token, *path = scope["path"].split("/", 2)
        is_ours = secrets.compare_digest(token.encode(), self.token.encode())
        is_here = not others and host.partition(":")[0] in ("127.0.0.1", "localhost")
        if not (path and is_ours and is_here and all(one == f"http://{host}" for one in origins)):
            await Response(status_code=403, headers=_HEADERS)(scope, receive, send)
            return
        inner = dict(scope, path=f"/{path[0]}", raw_path=None)
        await self.app(inner, receive, send)


class Server:
    """The page of an exploration, in a thread of its own."""

    def __init__(self, explored: Exploration) -> None:
        self.explored = explored
        self._asking, self._seen = 0, 0.0  # questions that wait; when the last one ended
        gets = {"/": self._page, "/next": self._next, "/search": self._search}
        gets |= {"/row/{i:int}": self._row, "/image/{i:int}": self._image}
        gets |= {"/column/{i:int}": self._column}
        posts = {"/do": self._do, "/export": self._export, "/end": self._end}
        routes = [Route(path, _refusing(one), methods=["GET"]) for path, one in gets.items()]
        routes += [Route(path, _refusing(one), methods=["POST"]) for path, one in posts.items()]
        token = secrets.token_urlsafe(16)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/{token}/"
        config = uvicorn.Config(
            _Guard(Starlette(routes=routes), token),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        given = {"sockets": [self._socket]}
        self._thread = threading.Thread(target=self._server.run, kwargs=given, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer what is being asked, and end."""
        self._server.should_exit = True
        self._thread.join(5)
        self._socket.close()

    @property
    def is_left(self) -> bool:
        """Whether there was a page that has been closed."""
        return bool(self._seen) and not self._asking and time.monotonic() - self._seen > _AWAY

    # ---- answers ----

    async def _page(self, request: Request) -> Response:
        cards = self.explored.cards
        told = {
            "source": self.explored.source,
            "rows": cards.values.shape[0],
            "columns": cards.columns,
            "names": cards.names,
            "show": cards.kind,
            "folder": self.explored.folder,
        }
        return HTMLResponse(_page.page("explore", None, "explore.html", **told))

    async def _next(self, request: Request) -> Response:
        have, state = int(request.query_params.get("have", "0")), self.explored.state
        self._asking += 1
        try:
            for _ in range(_POLL):
                if await state.wait(have, 1):
                    packed = await run_in_threadpool(state.packed, have)
                    return Response(packed, media_type="application/octet-stream")
                if state.ended or await request.is_disconnected():
                    break
            return Response(status_code=204)
        finally:
            self._asking, self._seen = self._asking - 1, time.monotonic()

    async def _do(self, request: Request) -> Response:
        asked = await request.json()
        return JSONResponse({"change": await run_in_threadpool(self.explored.do, asked)})

    async def _row(self, request: Request) -> Response:
        row = self._number(request, len(self.explored.journal.known.codes))
        card = self.explored.cards.card(row)
        return JSONResponse(card | {"labelled": self.explored.journal.labelled(row)})

    async def _image(self, request: Request) -> Response:
        row = self._number(request, len(self.explored.journal.known.codes))
        found = await run_in_threadpool(self.explored.cards.image, row)
        return Response(found[0], media_type=found[1]) if found else Response(status_code=404)

    async def _column(self, request: Request) -> Response:
        j = self._number(request, len(self.explored.cards.columns))
        return _numbers((await run_in_threadpool(self.explored.cards.column, j)).tobytes())

    async def _search(self, request: Request) -> Response:
        text = request.query_params.get("text", "")
        return _numbers((await run_in_threadpool(self.explored.cards.search, text)).tobytes())

    async def _export(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self.explored.export))

    async def _end(self, request: Request) -> Response:
        threading.Thread(target=self.explored.close).start()  # which waits for this answer
        return JSONResponse({})

    def _number(self, request: Request, end: int) -> int:
        number: int = request.path_params["i"]
        if number >= end:
            raise Error(f"the number must be below {end}, got {number}")
        return number


def _numbers(data: bytes) -> Response:
    return Response(data, media_type="application/octet-stream")


def _refusing(handler: _Handler) -> _Handler:
    """The handler, whose refusals are answers in words."""

    async def answered(request: Request) -> Response:
        try:
            response = await handler(request)
        except (ValueError, TypeError, AttributeError, OSError) as error:
            response = JSONResponse({"error": str(error)}, status_code=409)
        response.headers.update(_HEADERS)
        return response

    return answered
